import {expect, test} from 'vitest';
import {sourceFiles} from '../../support/source-files.ts';

/** Where the screen's sentences come from. Two files write the names of keys; commands speak where none is. */
const files = sourceFiles('src').filter(
	({path}) =>
		/^src\/(ui|actions|state|domain|keys|sync)\/|^src\/[^/]+$/.test(path) &&
		!/^src\/(keys\/key-label|ui\/key-table)\.ts$/.test(path),
);

/** `Ctrl+X`, `Enter takes`: a key by its name. Shift alone is the terminal's own, and `End of the line` no key. */
const named =
	/\b(?:Ctrl|Alt)\+|\b(?:Enter|Esc|Space|Tab|PgUp|PgDn|Backspace)\b|\bEnd\b(?! of| marking| finding)/;
/** `r asks again`, `Press p`, `: | closes it`: a key that is its own name. */
const plain = /(?:^|[\s(:;,])[b-zB-HJ-Z?|/] [a-z]+s\b|\b[Pp]ress [^…\s][\s,.:]|(?:^|\s)[|](?:\s|$)/;

/** The words of every string and template of a source file that look like a sentence; what is filled in stands as `…`. */
function sentencesOf(source: string): string[] {
	const code = source.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '');
	const strings = code.match(/`(?:\\.|[^`\\\n])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"/g) ?? [];
	return strings
		.map(text => text.slice(1, -1).replaceAll(/\$?\{[^{}]*\}/g, '…'))
		.filter(text => text.includes(' '));
}

const spellsKey = (sentence: string) => named.test(sentence) || plain.test(sentence);

test('no sentence spells a key, as the key map knows which one it is', () => {
	const spelled = files.flatMap(({path, text}) =>
		sentencesOf(text)
			.filter(spellsKey)
			.map(sentence => `${path}: ${sentence}`),
	);
	expect(spelled).toEqual([]);
});

test('no key is set apart from the words around it', () => {
	for (const {path, text} of files)
		expect(text, path).not.toMatch(/safe`(?:[A-Za-z?|/:]|Esc|Enter|Tab|Space)`, (?:'strong'|safe`)/);
});
