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

test('whatever we draw with has ASCII that is as wide', () => {
	expect(drawn.length).toBeGreaterThan(20);
	for (const character of drawn) {
		const ascii = inAscii(cleanLine(character));
		expect(ascii, character).toMatch(/^[ -~]$/);
		expect(stringWidth(ascii)).toBe(stringWidth(character));
	}
});

test('nothing that is drawn is left for a screen reader to spell', () => {
	for (const character of drawn)
		expect(screenReaderText(cleanLine(character)), character).toMatch(/^[ -~]*$/);
});
