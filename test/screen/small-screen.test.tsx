import {expect, test} from 'vitest';
import {openNewSessionDialog} from '../../src/ui/dialogs/new-session/new-session-state.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

let screen: Screen;

function work(columns: number, rows: number) {
	const {parts} = workParts();
	screen = openScreen(parts, columns, rows);
	const written = (id: string) => parts.composers.getState().bySession.get(id)?.editor.text;
	return {parts, written, view: () => parts.view.getState(), quits: () => parts.calls.includes('quit')};
}

test('on a screen too small for the panes, only Ctrl+C has an effect', async () => {
	const {parts, written, view, quits} = work(80, 24);
	await screen.rows();
	openSession(parts, 's-api', 'composer');
	await screen.press('a');
	await screen.resize(39, 9);
	await screen.until(has('quarterdeck needs 40 x 10', 'this is 39 x 9', 'Ctrl+C twice quits'));
	const before = view();
	await screen.press('q', 'n', 'X', '\r', '\x1b[200~!\x1b[201~');
	expect([view(), written('s-api'), quits()]).toEqual([before, 'a', false]);
	await screen.press('\x03', '\x03');
	expect(quits()).toBe(true);
});

test.each([
	[119, 41],
	[118, 24],
])('resized from 120 x 40 to %i x %i, it looks as if opened at that size', async (columns, rows) => {
	const shown = () => screen.cells().map(row => row.join(''));
	work(columns, rows);
	await screen.rows();
	const opened = shown();
	screen.close();
	work(120, 40);
	await screen.rows();
	await screen.resize(columns, rows);
	await expect.poll(shown).toEqual(opened);
});

test('on a narrow screen, the folder of a new session is seen while it is typed', async () => {
	const {parts} = work(40, 12);
	await screen.rows();
	openNewSessionDialog(parts, 'build-box');
	await screen.press('\x1b[Z', '\x1b[Z', '/srv/shop');
	const rows = await screen.until(has('folder /srv/shop', 'type a path'));
	const y = rows.findIndex(row => row.includes('/srv/shop'));
	expect(screen.cursor()).toMatchObject({x: (rows[y] ?? '').indexOf('/srv/shop') + '/srv/shop'.length, y});
});
