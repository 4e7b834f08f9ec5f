import {expect, test} from 'vitest';
import {backgroundQuery, readColor} from '../../../src/term/capabilities.ts';

test.each([
	['rgb:1111/1313/1a1a', [17, 19, 26]],
	['rgb:ffff/ffff/ffff', [255, 255, 255]],
	['rgb:f/8/0', [255, 136, 0]],
	['rgba:1c1c/1c1c/1c1c/ffff', [28, 28, 28]],
] as const)('reads the color %s', (text, color) => {
	expect(readColor(text)).toEqual(color);
});

test.each([
	'',
	'rgb:',
	'rgb:1/2',
	'rgb:11111/2/3',
	'rgb:g/0/0',
	'#111318',
	'red',
	'rgb:1/2/3; rm',
	'?',
	'rgb:1/2/3/4/5',
])("%j isn't a color", text => {
	expect(readColor(text)).toBeUndefined();
});

test('asks only terminals that can answer', () => {
	expect(backgroundQuery({TERM: 'xterm-256color'})).toBe('\x1b]11;?\x1b\\');
	expect(backgroundQuery({TERM: 'tmux-256color', TMUX: '/tmp/x'})).toBe(
		'\x1b]11;?\x1b\\\x1bPtmux;\x1b\x1b]11;?\x1b\x1b\\\x1b\\',
	);
	expect(backgroundQuery({TERM: 'screen', STY: '1'})).toBe('\x1bP\x1b]11;?\x07\x1b\\');
	expect(backgroundQuery({TERM: 'linux'})).toBe('');
});
