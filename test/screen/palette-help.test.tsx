import {expect, test} from 'vitest';
import {createKeyMap} from '../../src/ui/bindings.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

function work(
	columns: number,
	rows: number,
	choices: Readonly<Record<string, readonly string[]>> = {},
	host?: string,
) {
	const clock = fakeClock();
	const keys = createKeyMap({byAction: new Map(Object.entries(choices)), problems: []});
	const parts = appParts(clock, {keys, ...(host !== undefined && {profile: {host}})});
	fillWithWork(parts.stores, clock.now());
	openSession(parts, 's-api', 'main');
	const opened = openScreen(parts, columns, rows);
	const shows = (text: string) => opened.until(lines => lines.join('\n').includes(text));
	return {parts, screen: opened, shows};
}

/** The rows inside the dialog with this title; each must end at its borders. */
function insideOf(screen: Screen, title: string): string[] {
	const cells = screen.cells();
	const start = `╭─ ${title} `;
	const startsAt = (row: readonly string[]) =>
		row.findIndex((_, x) => row.slice(x, x + start.length).join('') === start);
	const top = cells.findIndex(row => startsAt(row) >= 0);
	const from = startsAt(cells[top] ?? []);
	const to = cells[top]?.indexOf('╮', from) ?? -1;
	const bottom = cells.findIndex((row, y) => y > top && row[from] === '╰');
	expect(cells[bottom]?.[to]).toBe('╯');
	return cells.slice(top + 1, bottom).map(row => {
		expect([row[from], row[to]], row.join('')).toEqual(['│', '│']);
		return row
			.slice(from + 1, to)
			.map(cell => cell || ' ')
			.join('');
	});
}

test.each([40, 120])('help at %i columns: every key of every place can be read whole', async columns => {
	const {parts, screen, shows} = work(columns, 60);
	await screen.press('?');
	await shows('type to search');
	const seen = new Set<string>();
	for (let page = 0; page < 200; page++) {
		const lines = await screen.rows();
		for (const line of insideOf(screen, 'Keys').slice(2)) seen.add(line.trim());
		const before = lines.join('\n');
		await screen.press('\x1b[6~');
		if ((await screen.rows()).join('\n') === before) break;
	}
	const text = [...seen].join(' ').replace(/\s+/g, ' ');
	// Only a long reason is cut, at the end of its second row.
	const cut = [...seen].filter(line => line.includes('…'));
	expect(cut.every(line => line.endsWith('…'))).toBe(true);
	if (columns >= 120) expect(cut).toEqual([]);
	// Wrapped or not, the words of each title are there in their order.
	const words = new Set(text.split(' '));
	for (const {title} of parts.keys.bindings)
		for (const word of title.split(' ').filter(one => one.length < columns - 20))
			expect(words, title).toContain(word);
});

test('help is searched while typing, shows the focused place first, and says why a key is disabled', async () => {
	const {screen, shows} = work(120, 40);
	await screen.press('?');
	await shows('type to search');
	expect(insideOf(screen, 'Keys')[2]).toMatch(/^ +An open session {2}here/);
	await screen.press('undo');
	await shows('disabled: There is nothing to undo');
	expect((await screen.rows()).join('\n')).toContain('Ctrl+_ Ctrl+/');
	await screen.press('\x15', 'no such thing');
	await shows('No matches');
	await screen.press('\x17');
	await shows('> no such');
});

test("an action that isn't possible here says why, leaves the palette open, and does nothing", async () => {
	const {parts, screen, shows} = work(80, 24);
	await screen.press('\x10', 'resend');
	await shows('disabled: Only for failed sessions, and messages that failed or wait');
	await screen.press('\r');
	expect(parts.view.getState().dialogs).toHaveLength(1);
	expect(parts.stores.notices.getState().list.at(-1)?.text).toContain(
		'Only for failed sessions, and messages that failed or wait',
	);
	await screen.press('\x15', 'retry-install');
	await shows('disabled: only in Computers');
	expect(parts.calls.filter(call => call.startsWith('resend'))).toEqual([]);
});

test('an action applies where the palette was opened, and comes first the next time', async () => {
	const {parts, screen, shows} = work(120, 40);
	await screen.press('\x10', 'hidden', '\r');
	expect(parts.view.getState()).toMatchObject({showsHidden: true, dialogs: [], focus: 'main'});
	await screen.press('\x10');
	await shows('▌ Show or hide hidden messages');
	await screen.press('docs', '\r');
	expect(parts.view.getState()).toMatchObject({shown: {kind: 'session'}, dialogs: []});
	expect(parts.view.getState().recent[0]).toBe(`session ${parts.view.getState().shown?.id}`);
});
