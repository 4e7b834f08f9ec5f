import {expect, test} from 'vitest';
import {cleanLine} from '../../../src/text/clean.ts';
import type {Line} from '../../../src/text/line.ts';
import {darkTheme, paint} from '../../../src/ui/theme.ts';

const line: Line = [{text: cleanLine('up '), tone: 'good'}, {text: cleanLine('now')}];

test.each([
	['truecolor', '\x1b[38;2;157;206;139mup \x1b[0mnow'],
	['256', '\x1b[38;5;150mup \x1b[0mnow'],
	['16', '\x1b[32mup \x1b[0mnow'],
	['none', 'up now'],
] as const)('%s', (depth, painted) => {
	expect(paint(line, darkTheme(depth))).toBe(painted);
});

test('without colours the row of the cursor is inverse and headings are bold', () => {
	const theme = darkTheme('none');
	expect(paint([{text: cleanLine('a')}], theme, true)).toBe('\x1b[7ma\x1b[0m');
	expect(paint([{text: cleanLine('a'), tone: 'heading'}], theme)).toBe('\x1b[1ma\x1b[0m');
});

test('the row of the cursor keeps its colour under every span', () => {
	const painted = paint(line, darkTheme('truecolor'), true);
	expect(painted.split('\x1b[48;2;38;45;66').length - 1).toBe(2);
	expect(painted.endsWith('\x1b[0m')).toBe(true);
});
