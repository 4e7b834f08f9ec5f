import {expect, test} from 'vitest';
import {markDeceptive} from '../../../../src/text/cells/deceptive.ts';

test.each([
	['ls\u200b -la', 'ls<U+200B> -la'],
	['a\u2800b\u3164c', 'a<U+2800>b<U+3164>c'],
	['cur\ufe0fl', 'cur<U+FE0F>l'],
	['rm\u00a0-rf\u3000x', 'rm<U+00A0>-rf<U+3000>x'],
	['\u202egnp.exe', '<U+202E>gnp.exe'],
	['a\rb', 'a<U+000D>b'],
	['\ud800x', '<U+D800>x'],
	[`e${'\u0301'.repeat(6)}`, `e${'\u0301'.repeat(4)}<U+0301><U+0301>`],
	['сurl x', 'с<U+0441>url x'],
	['ср a b', 'с<U+0441>р<U+0440> a b'],
	['http://аррӏе.com', 'http://а<U+0430>р<U+0440>р<U+0440>ӏ<U+04CF>е<U+0435>.com'],
	['см. http://аррӏе.com', 'см. http://а<U+0430>р<U+0440>р<U+0440>ӏ<U+04CF>е<U+0435>.com'],
	['−rf ／etc ｒm 𝐬𝐡', '−<U+2212>rf ／<U+FF0F>etc ｒ<U+FF52>m 𝐬<U+1D42C>𝐡<U+1D421>'],
	['ls\u037e rm\u2024x', 'ls\u037e<U+037E> rm\u2024<U+2024>x'],
	['git pu\u0131l', 'git puı<U+0131>l'],
	['echo \u1feftrue\u1fef', 'echo \u1fef<U+1FEF>true\u1fef<U+1FEF>'],
])('%j is marked', (text, marked) => {
	expect(markDeceptive(text)).toBe(marked);
});

test.each([
	'npm test && echo "done"\n\ttab',
	"é; a-b / c: d.e, f! | *~ <x> `'",
	'а ты с ней о том',
	'Ένα δύο και ο τρίτος',
	'用npm安装 そして 한국어',
	'café naïve Zürich, m², ½, don’t — “quotes” …',
	'✅ ❤️ 1️⃣ ok',
	'a\r\nb\r\n',
])('%j stays as it is', text => {
	expect(markDeceptive(text)).toBe(text);
});

test('a long line takes no time that grows with the square of its length', () => {
	const text = `é ${'a'.repeat(1024 * 1024)}`;
	expect(markDeceptive(text)).toBe(text);
});
