import {globSync, readFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, test} from 'vitest';

const src = join(import.meta.dirname, '../../../src');
const files = globSync('**/*.{ts,tsx}', {cwd: src});
const text = (file: string) => readFileSync(join(src, file), 'utf8');

test('only the kit draws text with Ink; everything else hands it lines of cleaned text', () => {
	const drawing = files.filter(file =>
		/import\s*\{[^}]*\bText\b[^}]*\}\s*from 'ink'|from 'ink-text-input'/.test(text(file)),
	);
	expect(drawing.length).toBeGreaterThan(0);
	expect(drawing.filter(file => !file.startsWith('ui/kit/'))).toEqual([]);
});

test('no cast makes text safe in the screen, the keys, the state or the actions', () => {
	const casting = files
		.filter(file => /^(ui|keys|state|actions)\//.test(file))
		.filter(file => /\bas (unknown as )?Safe\b|stillSafe/.test(text(file)));
	expect(casting).toEqual([]);
});

test('keys are read in one place', () => {
	expect(files.filter(file => /\buse(Input|Paste)\b.*from 'ink'/.test(text(file)))).toEqual([
		'ui/screen-input.ts',
	]);
});
