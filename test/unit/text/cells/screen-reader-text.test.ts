import {expect, test} from 'vitest';
import {cleanLine} from '../../../../src/text/cells/clean.ts';
import {screenReaderText} from '../../../../src/text/cells/screen-reader-text.ts';

test.each([
	['✓ active', 'active'],
	['● connected', 'connected'],
	['(●) yes   ( ) no', '(x) yes   ( ) no'],
	['build-box · idle', 'build-box, idle'],
	['3 more ↓', '3 more down '],
	['☑ build', 'done: build'],
	['☐ test', 'open: test'],
	['docs › install', 'docs / install'],
	['━━━━━━────', ''],
	['▌git log', '>git log'],
	['a long na…', 'a long na...'],
	['日本語 ok!', '日本語 ok!'],
])('reads %s as %s', (drawn, said) => {
	expect(screenReaderText(cleanLine(drawn))).toBe(said);
});
