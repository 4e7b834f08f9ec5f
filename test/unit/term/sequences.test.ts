import {WriteStream} from 'node:tty';
import {expect, test} from 'vitest';
import {capabilities, refusal} from '../../../src/term/capabilities.ts';
import {clipboardSequence, maxClipboardLength} from '../../../src/term/clipboard.ts';
import {TerminalModes, undoEverything} from '../../../src/term/modes.ts';
import {bell, notification, titleSequence} from '../../../src/term/terminal.ts';

test('cleans a title', () => {
	expect(titleSequence('2 need you \x07\x1b]0;evil')).toBe('\x1b]2;2 need you \u2407\u241b]0;evil\x1b\\');
});

test.each([
	['no terminal that is known', {}, bell],
	['iTerm', {TERM_PROGRAM: 'iTerm.app'}, '\x1b]9;a,b: c\u2407\x1b\\'],
	['WezTerm', {TERM_PROGRAM: 'WezTerm'}, '\x1b]777;notify;a,b;c\u2407\x1b\\'],
	['kitty', {KITTY_WINDOW_ID: '1'}, '\x1b]99;i=1:d=0;a,b\x1b\\\x1b]99;i=1:p=body;c\u2407\x1b\\'],
	[
		'iTerm around tmux',
		{TERM_PROGRAM: 'tmux', LC_TERMINAL: 'iTerm2', TMUX: '/tmp/x'},
		`${bell}\x1bPtmux;\x1b\x1b]9;a,b: c\u2407\x1b\x1b\\\x1b\\`,
	],
	[
		'WezTerm around tmux',
		{TERM_PROGRAM: 'tmux', WEZTERM_PANE: '0', TMUX: '/tmp/x'},
		`${bell}\x1bPtmux;\x1b\x1b]777;notify;a,b;c\u2407\x1b\x1b\\\x1b\\`,
	],
	['foot', {TERM: 'foot'}, '\x1b]777;notify;a,b;c\u2407\x1b\\'],
])('formats a notification for %s', (_, env, sequence) => {
	expect(notification('a;b', 'c\x07', env)).toBe(sequence);
});

test('copies text that fits the limit, even in tmux and screen', () => {
	expect(clipboardSequence('hi', {})).toBe('\x1b]52;c;aGk=\x1b\\');
	expect(clipboardSequence('hi', {TMUX: '1'})).toBe(
		'\x1b]52;c;aGk=\x1b\\\x1bPtmux;\x1b\x1b]52;c;aGk=\x1b\x1b\\\x1b\\',
	);
	const inScreen = clipboardSequence('x'.repeat(900), {STY: '1', TERM: 'screen'}) ?? '';
	const pieces = inScreen.split('\x1b\\').filter(Boolean);
	expect(pieces.every(piece => piece.startsWith('\x1bP') && piece.length < 768)).toBe(true);
	expect(pieces.map(piece => piece.slice(2)).join('')).toBe(
		`\x1b]52;c;${Buffer.from('x'.repeat(900)).toString('base64')}\x07`,
	);
	expect(clipboardSequence('\u6f22'.repeat(maxClipboardLength / 3 + 1), {})).toBeUndefined();
});

const tty = (bits: number) => ({isTTY: true as const, getColorDepth: () => bits});

test.each([
	[24, {LANG: 'en_US.UTF-8'}, 'truecolor', true],
	[8, {LC_ALL: 'C', LANG: 'en_US.UTF-8'}, '256', false],
	[4, {}, '16', true],
	[1, {TERM: 'linux'}, 'none', false],
	[24, {NO_COLOR: '1'}, 'truecolor', true],
	[24, {TERM: 'dumb'}, 'none', true],
] as const)('finds the capabilities of %i bits, %j', (bits, env, colors, hasUnicode) => {
	const found = capabilities({stdin: {isTTY: true}, stdout: tty(bits), env});
	expect(found).toEqual({colors, hasUnicode});
});

test.each([
	{CI: 'true'},
	{CI: '1', GITHUB_ACTIONS: 'true'},
	{TEAMCITY_VERSION: '2024.1'},
	{TF_BUILD: 'True', AGENT_NAME: 'a'},
])('a terminal keeps its colors in %j', service => {
	const {getColorDepth} = WriteStream.prototype;
	const stdout = {isTTY: true as const, getColorDepth};
	const env = {TERM: 'xterm-256color', COLORTERM: 'truecolor', ...service};
	expect(capabilities({stdin: {isTTY: true}, stdout, env}).colors).toBe('truecolor');
});

test("refuses a terminal that can't show a screen, with the reason and the commands", () => {
	const good = {stdin: {isTTY: true}, stdout: tty(24), env: {TERM: 'xterm'}} as const;
	expect(refusal(good)).toBeUndefined();
	expect(refusal({...good, stdout: {...tty(1), isTTY: false as true}})).toMatch(
		/output is not one.*sessions/,
	);
	expect(refusal({...good, stdin: {isTTY: false as true}})).toMatch(/input is not one/);
	expect(refusal({...good, env: {TERM: 'dumb'}})).toMatch(/TERM is dumb/);
	expect(refusal({...good, env: {}})).toMatch(/TERM is not set/);
});

test('turns off only what was turned on, the keyboard before its screen', () => {
	const modes = new TerminalModes();
	expect(modes.undoSequence()).toBe('');
	modes.follow('\x1b[?1049h\x1b[?25l');
	modes.follow('\x1b[>1u');
	modes.follow('\x1b[?2004h\x1b[?2004l');
	expect(modes.undoSequence()).toBe('\x1b[0m\x1b[<u\x1b[?1049l\x1b[?25h');
	modes.follow('\x1b[<u\x1b[?1049l\x1b[?25h');
	expect(modes.undoSequence()).toBe('');
	expect(undoEverything()).toContain('\x1b[?1049l');
	modes.follow(
		'\x1b[22;2t\x1b[?1049h\x1b[?25l\x1b[?2004h\x1b[?1000h\x1b[?1002h\x1b[?1006h\x1b[?1004h\x1b[?2031h',
	);
	modes.follow('\x1b[?2026h');
	expect(modes.undoSequence()).toBe(
		'\x1b[0m\x1b[?2026l\x1b[?1006l\x1b[?1002l\x1b[?1000l\x1b[?1004l\x1b[?2031l\x1b[?2004l\x1b[?1049l\x1b[?25h\x1b[23;2t',
	);
});
