import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Rgb} from '../../src/domain/display.ts';
import {contrast} from '../../src/ui/theme/colors.ts';
import {emptyHome, openProgram, settingsAround} from '../support/program.ts';

const size = {columns: 100, rows: 30};
const white = 'rgb:ffff/ffff/ffff';
const night = 'rgb:1111/1313/1a1a';

const rgb = (hex: string) =>
	[1, 3, 5].map(at => Number.parseInt(hex.slice(at, at + 2), 16)) as unknown as Rgb;
const isReadOn = (background: Rgb) => (look: {color: string}) =>
	look.color.startsWith('#') && contrast(rgb(look.color), background) >= 4.5;
const onWhite = isReadOn([255, 255, 255]);
const onNight = isReadOn([0x11, 0x13, 0x1a]);
/** Dim words: no color of theirs is read on both. */
const word = 'not set up';

test('colors suit the background that the terminal reports, and follow when it changes', async () => {
	const terminal = openProgram([], emptyHome(), {...size, background: white});
	await terminal.see(word);
	await terminal.seeLook(word, look => onWhite(look) && terminal.output().includes('\u001B[?2031h'));
	terminal.setBackground(night);
	await terminal.seeLook(word, onNight);
	expect(onWhite(terminal.look(word))).toBe(false);
	// Back from elsewhere: asked again, for terminals that don't tell.
	terminal.press('q');
	await terminal.see('Code 0');
	expect(terminal.output()).toContain('\u001B[?2031l');
	// None of the answers was taken for keys, or left for the shell.
	expect(terminal.screen()).not.toContain('rgb:');
	await terminal.exit();
});

test.each([
	['no answer', {}, undefined, onNight],
	['COLORFGBG', {COLORFGBG: '0;15'}, undefined, onWhite],
	['an answer over COLORFGBG', {COLORFGBG: '0;15'}, night, onNight],
	['an answer that is none', {}, 'javascript:alert(1)', onNight],
] as const)('auto: %s', async (_, more, background, isSo) => {
	const terminal = openProgram([], emptyHome(), {
		...size,
		terminalEnv: more,
		...(background && {background}),
	});
	await terminal.see(word);
	await terminal.seeLook(word, isSo);
	terminal.press('q');
	await terminal.exit();
});

test.each([
	['NO_COLOR', [], {NO_COLOR: '1'}, 'own'],
	['--theme none', ['--theme', 'none'], {}, 'own'],
	['a theme of the sixteen', ['--theme', 'ansi'], {}, 'P8'],
	['a chosen theme over NO_COLOR', ['--theme', 'ansi'], {NO_COLOR: '1'}, 'P8'],
	['256 colors', [], {COLORTERM: ''}, 'P'],
	['FORCE_COLOR', [], {FORCE_COLOR: '1'}, 'P8'],
] as const)('%s', async (_, args, more, color) => {
	const terminal = openProgram(args, emptyHome(), {...size, terminalEnv: more, background: night});
	await terminal.see(word);
	await terminal.seeLook(word, look => look.color.startsWith(color));
	terminal.press('q');
	await terminal.exit();
});

test('a theme is previewed, given up, and then saved', async () => {
	const env = emptyHome();
	const file = join(env.HOME ?? '', '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, '{"theme": "dark", "mouse": false}');
	const terminal = openProgram([], env, {...size, background: white});
	await terminal.see(word);
	await terminal.seeLook(word, onNight);
	terminal.press('T');
	await terminal.see('on its own light background');
	terminal.press('j');
	await terminal.seeLook('not set up', onWhite);
	terminal.press('esc');
	await terminal.seeLook(word, onNight);
	terminal.press('T');
	await terminal.see('on its own light background');
	terminal.press('j');
	await terminal.seeLook(word, onWhite);
	terminal.press('enter');
	await terminal.see('Theme saved: light');
	expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({theme: 'light', mouse: false});
	terminal.press('q');
	await terminal.exit();
});

test('for a screen reader: no frames, no marks, and the cursor on the selected line', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--local'], {...env, INK_SCREEN_READER: 'true'}, size);
	await terminal.see(/Computers, 1/);
	terminal.press('enter');
	await terminal.see(/3 of 3 steps/);
	terminal.press('esc');
	await terminal.see('Sessions');
	terminal.press('N');
	await terminal.see('New computer');
	expect(terminal.screen()).not.toContain('Sessions');
	terminal.press('esc');
	await terminal.seeCursorAt(/active/);
	expect(terminal.screen()).not.toMatch(/[^\u0000-\u007F]/);
	terminal.press('q');
	await terminal.exit();
});

test('the doctor asks the terminal what it can do, and leaves it as it was', async () => {
	const terminal = openProgram(['doctor'], emptyHome(), {columns: 140, rows: 50, background: white});
	await terminal.see(/terminal +ok +xterm-256color, colors truecolor, Unicode/);
	await terminal.see(/background +ok +#ffffff/);
	await terminal.see(/widths +ok/);
	await terminal.see(/Code \d/);
	const {before, after} = settingsAround(terminal);
	expect(after).toBe(before);
	expect(terminal.screen()).not.toMatch(/\$y|rgb:|\[\?/);
	await terminal.exit();
});
