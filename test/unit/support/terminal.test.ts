import {expect, test} from 'vitest';
import {openTerminal} from '../../support/terminal.ts';

test('types to a program in the pty, sees its screen and knows its modes', async () => {
	const terminal = openTerminal({
		command: 'sh',
		args: [
			'-c',
			'printf "\\033[?1049h\\033[?2004hready"; read word; echo "got $word"; read x; printf "\\033[?2004l\\033[?1049l"; exit 3',
		],
	});
	await terminal.see('ready');
	expect(terminal.modes()).toMatchObject({alternateScreen: true, bracketedPaste: true});
	terminal.type('łódź');
	terminal.press('enter');
	await terminal.see('got łódź');
	await expect(terminal.see('never', {within: 50})).rejects.toThrow(/got łódź/);
	terminal.press('enter');
	expect(await terminal.exit()).toEqual({code: 3});
	expect(terminal.modes()).toMatchObject({alternateScreen: false, bracketedPaste: false});
});

test('never shows half a frame, but the one before until the next is whole', async () => {
	const terminal = openTerminal({
		command: 'sh',
		args: ['-c', 'printf "before\\033[?2026h half"; read x; printf ", whole\\033[?2026l"; read x'],
	});
	await terminal.see('before');
	await expect(terminal.see('half', {within: 200})).rejects.toThrow(/before$/m);
	terminal.press('enter');
	await terminal.see(/before half\s*, whole/);
	terminal.press('enter');
	await terminal.exit();
});
