import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, test} from 'vitest';
import type {Rgb} from '../../src/domain/display.ts';
import {contrast} from '../../src/ui/theme/colors.ts';
import {emptyHome, openProgram} from '../support/program.ts';

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

test('colors suit the background that the terminal reports, now and later; a theme is previewed, given up and saved', async () => {
	const env = emptyHome();
	const file = join(env.HOME ?? '', '.config/quarterdeck/config.json');
	mkdirSync(dirname(file), {recursive: true});
	writeFileSync(file, '{"mouse": false, "keys": {"quit": "ctrl+q"}}');
	const terminal = openProgram([], env, {...size, background: white});
	await terminal.see(word);
	await terminal.see('Ctrl+Q quit');
	await terminal.seeLook(word, look => onWhite(look) && terminal.output().includes('\u001B[?2031h'));
	expect(terminal.modes()).toMatchObject({mouse: false, focusReports: true});
	terminal.setBackground(night);
	await terminal.seeLook(word, onNight);
	expect(onWhite(terminal.look(word))).toBe(false);
	for (const key of ['esc', 'enter']) {
		terminal.press('T');
		await terminal.see('▌ auto');
		terminal.press('j', 'j');
		await terminal.see('▌ light');
		await terminal.seeLook(word, onWhite);
		terminal.press(key);
		await terminal.gone('▌ light');
		if (key === 'esc') await terminal.seeLook(word, onNight);
	}
	await terminal.see('Theme saved: light');
	expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({theme: 'light', mouse: false});
	terminal.press('ctrl+q');
	await terminal.see('Code 0');
	expect(terminal.output()).toContain('\u001B[?2031l');
	expect(terminal.output()).not.toContain('\u001B[?1000h');
	// None of the answers was taken for keys, or left for the shell.
	expect(terminal.screen()).not.toContain('rgb:');
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
