import {readFileSync} from 'node:fs';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {inAscii} from '../../../../src/text/cells/ascii.ts';
import {cleanLine} from '../../../../src/text/cells/clean.ts';
import {screenReaderText} from '../../../../src/text/cells/screen-reader-text.ts';
import {sourceFiles} from '../../../support/source-files.ts';

/** Every character beyond ASCII that the screen draws by itself. */
const drawn = [
	...new Set(
		sourceFiles('src')
			.filter(({path}) => /^src\/(ui|text|keys)\//.test(path) && !/\/(ascii|spoken)\.ts$/.test(path))
			.flatMap(
				({path}) =>
					readFileSync(path, 'utf8').match(
						/[\u2190-\u21ff\u2500-\u25ff\u2713\u2717\u203a\u2039\u2026\u00b7\u2248\u2261]/g,
					) ?? [],
			),
	),
];

test('every character we draw has an ASCII replacement of the same width', () => {
	expect(drawn.length).toBeGreaterThan(20);
	for (const character of drawn) {
		const ascii = inAscii(cleanLine(character));
		expect(ascii, character).toMatch(/^[ -~]$/);
		expect(stringWidth(ascii)).toBe(stringWidth(character));
	}
});

test('a screen reader never has to spell a character we draw', () => {
	for (const character of drawn)
		expect(screenReaderText(cleanLine(character)), character).toMatch(/^[ -~]*$/);
});
