import {expect, test} from 'vitest';
import {notify} from '../../src/actions/notify.ts';
import {emptyLog, withNewer} from '../../src/state/event-log.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {hookEvent} from '../support/hook-event.ts';
import {openScreen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

/** Longer than any of the panes that show it. */
const long = Array.from({length: 80}, (_, index) => `word-${index}`).join(' ');
const longEvent = (index: number) =>
	hookEvent({
		event: 'Notification',
		data: {session_id: `s-${index}`, cwd: `/srv/${index}`, message: long, error: long},
	});

async function events(columns: number, rows: number, count = 3) {
	const parts = appParts(fakeClock());
	fillWithWork(parts.stores, parts.actions.clock.now());
	parts.stores.events.setState(
		withNewer(
			emptyLog,
			Array.from({length: count}, (_, index) => longEvent(index)),
		),
		true,
	);
	parts.stores.connection.setState({
		problem: {what: `refused ${long}`, at: 1},
		hooks: {what: `unheard ${long}`, at: 1},
		storage: {what: `unwritten ${long}`, at: 1},
	});
	const opened = openScreen(parts, columns, rows);
	await opened.press('8');
	await opened.until(lines => lines.join('').includes('Hook events'));
	return {parts, screen: opened, reading: () => parts.view.getState().events};
}

/** The rows from the one with a pane's title to the one that closes it. */
function paneOf(lines: readonly string[], title: string): string[] {
	const from = lines.findIndex(line => line.includes(`─ ${title}`));
	const to = lines.findIndex((line, index) => index > from && /─[╯┤]/.test(line));
	return lines.slice(from, to + 1);
}

test.each([
	['Notification', 1, 120, 40],
	['Diagnostics', 2, 80, 24],
	['Notification', 1, 60, 12],
])(
	'keys scroll the lines of %s once it has the focus: %i tabs at %ix%i',
	async (title, tabs, columns, rows) => {
		const {screen} = await events(columns, rows);
		await screen.press(...Array(tabs).fill('\t'));
		const pane = (lines: readonly string[]) => paneOf(lines, title).join('\n');
		const more = (lines: readonly string[]) => Number(/(\d+) more ↓/.exec(pane(lines))?.[1] ?? 0);
		const first = await screen.until(lines => more(lines) > 0);
		await screen.press('j', 'j');
		await screen.until(lines => more(lines) === more(first) - 2);
		await screen.press('k');
		await screen.until(lines => more(lines) === more(first) - 1);
		await screen.press('G');
		const end = await screen.until(lines => pane(lines) !== '' && more(lines) === 0);
		expectStraightBorders(screen.cells());
		expect(pane(end)).not.toBe(pane(first));
		await screen.press('g');
		await screen.until(lines => pane(lines) === pane(first));
	},
);

test('Tab cycles through the panes, Shift+Tab the other way; Esc first returns to the log', async () => {
	const {screen, reading, parts} = await events(120, 40);
	const panes: string[] = [];
	for (const key of ['\t', '\t', '\t', '\x1b[Z', '\x1b[Z', '\x1b']) {
		await screen.press(key);
		panes.push(reading().pane);
	}
	expect(panes).toEqual(['event', 'diagnostics', 'log', 'diagnostics', 'event', 'log']);
	expect(parts.view.getState().page).toBe('events');
});

test('the event being read stays when others arrive; the next one is read from its start', async () => {
	const {screen, parts, reading} = await events(120, 40);
	await screen.press('\t', 'j', 'j');
	const store = parts.stores.events;
	store.setState(withNewer(store.getState(), [longEvent(3)]), true);
	const lines = await screen.until(all => all.join('').includes('1 newer ↓'));
	expect(paneOf(lines, 'Notification').join('\n')).not.toContain('/srv/3');
	expect(reading()).toMatchObject({cursor: 2, tops: {event: 2}});
	await screen.press('\x1b', 'G');
	await screen.until(all => paneOf(all, 'Notification').join('').includes('/srv/3'));
	expect(reading().cursor).toBeUndefined();
	expect(reading().tops.event).toBe(0);
});

test('the wheel scrolls the pane under the pointer and a press gives it the focus', async () => {
	const {screen, parts, reading} = await events(120, 40);
	const row = (await screen.rows()).findIndex(line => line.includes('─ Diagnostics'));
	const report = (button: number) => parts.mouse.report({button, x: 110, y: row + 2, isRelease: false});
	report(65);
	await screen.until(() => reading().tops.diagnostics > 0);
	expect(reading()).toMatchObject({pane: 'log', tops: {event: 0}});
	report(64);
	await screen.until(() => reading().tops.diagnostics === 0);
	report(0);
	await screen.until(() => reading().pane === 'diagnostics');
	parts.mouse.report({button: 0, x: 4, y: 1 + 2, isRelease: false});
	await screen.until(() => reading().pane === 'log');
});

test('a notice that the footer cut is whole in the diagnostics, also after it has ended', async () => {
	const {parts, screen} = await events(120, 40, 0);
	notify(parts.actions, 'bad', `refused because ${'of this and '.repeat(10)}that`);
	const cut = await screen.until(lines => lines.at(-1)?.includes('✗ refused because') === true);
	expect(cut.at(-1)).toMatch(/q quit +✗ refused .*… 8 *$/);
	parts.stores.notices.setState({list: []});
	const rows = await screen.until(lines => lines.join('\n').includes('this and that'));
	expect(rows.join('\n')).toMatch(/notices +refused because of this/);
});

test('every mistake in the configuration is whole in the diagnostics', async () => {
	const mistakes = [
		`config.json:2:2: theme: not ${long}`,
		'config.json:3:2: mouze: there is no such setting',
	];
	const screen = openScreen(appParts(fakeClock(), {profile: {mistakes}}), 120, 60);
	await screen.press('8');
	const rows = await screen.until(lines => lines.join('').includes('mouze:'));
	expect(rows.join('\n')).toMatch(/configuration +config\.json:2:2: theme: not[\s\S]* word-79 /);
});
