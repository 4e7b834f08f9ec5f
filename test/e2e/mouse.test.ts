import {expect, test} from 'vitest';
import {emptyHome, openProgram, settingsAround} from '../support/program.ts';
import type {Terminal} from '../support/terminal.ts';

const size = {columns: 120, rows: 40};
const off = {
	alternateScreen: false,
	bracketedPaste: false,
	mouse: false,
	focusReports: false,
	applicationCursorKeys: false,
	cursorHidden: false,
	kittyKeyboard: 0,
};

/** The cell of a text, counted from 0. */
function find(terminal: Terminal, text: string): {x: number; y: number} {
	const rows = terminal.screen().split('\n');
	const y = rows.findIndex(row => row.includes(text));
	return {x: rows[y]?.indexOf(text) ?? -1, y};
}

/** What a terminal sends for a press and a release of the left button at a cell. */
function click(terminal: Terminal, {x, y}: {x: number; y: number}, times = 1): void {
	for (let time = 0; time < times; time++)
		terminal.type(`\x1b[<0;${x + 1};${y + 1}M\x1b[<0;${x + 1};${y + 1}m`);
}

async function leave(terminal: Terminal, ...keys: readonly string[]): Promise<void> {
	terminal.press(...keys);
	await terminal.see('Code 0');
	await terminal.exit();
	expect(terminal.modes()).toEqual(off);
	expect(settingsAround(terminal).after).toBe(settingsAround(terminal).before);
}

test('clicks, the wheel and dragging act where they point, and none of it is typed', async () => {
	const env = emptyHome();
	const terminal = openProgram(['--local'], env, size);
	await terminal.see('active');
	expect(terminal.modes().mouse).toBe(true);

	// A hint of the footer, and a form that reports are not typed into.
	click(terminal, find(terminal, 'new computer'));
	await terminal.see('New computer ─');
	terminal.press('tab');
	await terminal.see('▌ Name');
	terminal.type('\x1b[<35;10;10Mna\x1b[<0;999999999;1Mme\x1b[<65;');
	terminal.type('5;5M');
	await terminal.see(/Name.*name/);
	expect(terminal.screen()).not.toContain('[<');
	terminal.press('esc');
	await terminal.gone('New computer ─');

	// A session with something to scroll.
	terminal.press('n');
	await terminal.see('A command for the shell');
	terminal.type('seq 1 200');
	await terminal.see('> seq 1 200');
	terminal.press('enter');
	await terminal.see(/ 199 /);
	// The stream is scrolled while the composer has the focus.
	const notch = '\x1b[<64;80;10M';
	terminal.type(notch.repeat(20));
	await terminal.see(/ 120 /);
	await terminal.gone(/ 199 /);
	await terminal.see('Enter send');
	click(terminal, find(terminal, 'Computers'));
	await terminal.see(/▌.*active/);

	// The divider, kept for the next time.
	const border = find(terminal, '┬');
	const at = (x: number, y: number) => `${x + 1};${y + 1}`;
	terminal.type(
		`\x1b[<0;${at(border.x, 5)}M\x1b[<32;${at(border.x + 4, 6)}M\x1b[<32;${at(border.x + 12, 6)}M`,
	);
	await expect.poll(() => find(terminal, '┬').x).toBe(border.x + 12);
	terminal.type(`\x1b[<0;${at(border.x + 12, 6)}m`);
	await leave(terminal, 'q');

	const again = openProgram(['--local'], env, size);
	await again.see('Computers');
	await expect.poll(() => find(again, '┬').x).toBe(border.x + 12);
	await expect.poll(() => again.modes().mouse).toBe(true);
	again.press('M');
	await again.see('Mouse off: dragging selects text again');
	expect(again.modes()).toMatchObject({mouse: false, focusReports: true, bracketedPaste: true});
	again.press('M');
	await again.see('hold Shift');
	expect(again.modes().mouse).toBe(true);
	again.press('ctrl+c');
	await again.see('Ctrl+C again quits');
	await leave(again, 'ctrl+c');
}, 60_000);
