import {expect, test} from 'vitest';
import {emptyLog, withNewer, withOlder} from '../../src/state/event-log.ts';
import {guardWrite} from '../../src/term/guarded-stdout.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {hookEvent} from '../support/hook-event.ts';
import {openScreen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

const named = (count: number, from = 0) =>
	Array.from({length: count}, (_, index) =>
		hookEvent({
			event: 'Notification',
			data: {session_id: `s-${(from + index) % 3}`, cwd: '/home/me/shop', message: `words ${from + index}.`},
		}),
	);

function events(columns: number, rows: number, log = withNewer(emptyLog, named(60))) {
	const {clock, parts} = workParts();
	parts.stores.events.setState(log, true);
	const screen = openScreen(parts, columns, rows);
	return {parts, clock, screen};
}

async function opened(columns: number, rows: number, log?: ReturnType<typeof withNewer>) {
	const all = events(columns, rows, log);
	await all.screen.until(lines => lines.join('').includes('build-box') || columns < 60);
	await all.screen.press('8');
	await all.screen.until(lines => lines.join('').includes('Hook events'));
	return all;
}

test.each([
	[40, 12],
	[120, 40],
])('%i x %i: borders are straight, even after another event arrives', async (columns, rows) => {
	const {screen, parts} = await opened(columns, rows);
	await screen.until(lines => lines.some(line => line.includes('▌') && line.includes('shop')));
	expectStraightBorders(screen.cells());
	parts.stores.events.setState(withNewer(parts.stores.events.getState(), named(1, 777)), true);
	await screen.press('\t');
	const seen = await screen.until(lines => lines[0]?.includes('Events') === true);
	expect(seen).toHaveLength(rows);
	expectStraightBorders(screen.cells());
});

test('the newest event is shown with every field, beside the diagnostics of the connection', async () => {
	const {screen, parts} = await opened(160, 50);
	const clean = {what: 'The key was refused.', hint: 'Set another.', at: parts.actions.clock.now()};
	parts.stores.connection.setState({
		state: 'unauthorized',
		problem: clean,
		skipped: {total: 12, what: 'messages of s-api', count: 3, at: parts.actions.clock.now()},
		storage: {what: 'The disk is full.', at: parts.actions.clock.now()},
	});
	const text = (await screen.until(lines => lines.join('').includes('The disk is full'))).join('\n');
	expect(text).toMatch(/▌\d\d:00:00 · claude +Notification +shop +words 59\. +12ms/);
	// The refusal was a response.
	expect(text).toMatch(/last success +0s ago/);
	expect(text).toMatch(/delivered +by socket, after 12ms/);
	expect(text).toMatch(/effect +none: only logged/);
	expect(text).toMatch(/skipped +12 items could not be read/);
	expect(text).toMatch(/hooks +listening/);
	expect(text).toMatch(/events +last 0s ago, by socket/);
	expect(text).toMatch(/outbox +1 sending/);
});

test('the cursor stays on its event, and the rows in place, when events arrive at either end', async () => {
	const {screen, parts} = await opened(120, 30);
	await screen.press('k', '\x15');
	const before = await screen.until(lines => lines.join('').includes('newer ↓'));
	const row = before.findIndex(line => line.includes('▌'));
	const store = parts.stores.events;
	store.setState(withNewer(store.getState(), named(30, 100)), true);
	await screen.until(lines => lines.join('').includes('newer ↓'));
	store.setState(withOlder(store.getState(), named(30, 200), false), true);
	const after = await screen.until(lines => lines.join('').includes('44 newer ↓'));
	const log = (lines: readonly string[]) => lines.slice(2, 28).map(line => line.slice(0, 66));
	expect(log(after)).toEqual(log(before));
	expect(after[row]).toContain('▌');
	await screen.press('G');
	await screen.until(lines => lines.join('').includes('live'));
});

test('words and a session narrow the log; Esc first shows all events again, then the Work view', async () => {
	const {screen, parts} = await opened(120, 40);
	await screen.press('/', 'words 4', '\r');
	await screen.until(lines => lines.join('').includes('/words 4'));
	await screen.until(lines => lines.join('').includes('15 of 60'));
	await screen.press('f');
	await screen.until(lines => lines.join('').includes(' 5 of 60'));
	await screen.press('\x1b');
	await screen.until(lines => !lines.join('').includes('of 60'));
	await screen.press('\x1b');
	await screen.until(lines => lines.join('').includes('Needs you'));
	expect(parts.view.getState().filters).toEqual({events: ''});
});

test('a damaged payload is named so, and background work after a stop is shown', async () => {
	const log = withNewer(emptyLog, [
		hookEvent({event: '', data: {damaged: 'not-json'}}),
		hookEvent({event: 'Stop', data: {session_id: 's', background_tasks: 2}}),
	]);
	const {screen} = await opened(160, 50, log);
	const text = (await screen.until(lines => lines.join('').includes('2 in background'))).join('\n');
	expect(text).toMatch(/✓ claude +Stop .*2 in background/);
	expect(text).toMatch(/effect +done, 2 in background/);
	expect(text).toMatch(/\(no name\) .*damaged: not-json/);
});

test('a filter that finds little asks for older events', async () => {
	const {screen, parts} = await opened(120, 40, {...withNewer(emptyLog, named(60)), hasOlder: true});
	await screen.press('/', 'words', '\r');
	await screen.until(lines => lines.join('').includes('60 of 60'));
	expect(parts.calls).not.toContain('loadOlderEvents');
	await screen.press('/', ' 59', '\r');
	await screen.until(() => parts.calls.includes('loadOlderEvents'));
});

test('events are watched only while the view is on the screen', async () => {
	const {screen, parts} = events(120, 40);
	const watches = () => parts.calls.filter(call => /^(un)?watchEvents$/.test(call));
	await screen.until(lines => lines.join('').includes('build-box'));
	expect(watches()).toEqual([]);
	await screen.press('8');
	await screen.until(lines => lines.join('').includes('Hook events'));
	await screen.press('k', '\t');
	expect(watches()).toEqual(['watchEvents']);
	await screen.press('1');
	await screen.until(() => watches().length > 1);
	expect(watches()).toEqual(['watchEvents', 'unwatchEvents']);
});

test("Enter opens the session of an event, or says why it can't", async () => {
	const log = withNewer(emptyLog, [
		hookEvent({data: {}}),
		hookEvent({data: {session_id: 's-nobody'}}),
		hookEvent({data: {session_id: 's-docs'}}),
	]);
	const {screen, parts} = await opened(120, 40, log);
	await screen.press('k', '\r');
	await screen.until(lines => lines.at(-1)?.includes('No known session has this id') === true);
	await screen.press('k', '\r');
	await screen.until(lines => lines.at(-1)?.includes('names no session') === true);
	await screen.press('G', '\r');
	await screen.until(lines => lines.join('').includes('docs-sync · '));
	expect(parts.view.getState()).toMatchObject({page: 'work', shown: {id: 's-docs'}});
});

test('hooks that report nothing are told at the top of every view and in the diagnostics, with what mends them', async () => {
	const {screen, parts} = events(160, 50);
	const what = 'The hooks of Claude Code report nothing: /old/node is gone';
	parts.hooks.hint.setState({problem: {what, isInSettings: false}});
	const isTold = (lines: readonly string[]) => lines.some(line => line.includes('H installs them again'));
	const rows = await screen.until(isTold);
	expect(rows[1]?.trim()).toBe(`! ${what}. H installs them again.`);
	await screen.press('8');
	const seen = await screen.until(lines => lines.join('').includes('Hook events'));
	expect(seen.join(' ').match(/report nothing/g)).toHaveLength(2);
	parts.hooks.hint.setState({isShown: false}, true);
	await screen.until(lines => !isTold(lines));
});

test("hostile events don't reach the terminal or bend a border", async () => {
	const hostile =
		'\x1b]52;c;aGk=\x07\x1b[2J\r\n\x9b5m\u202eevil\u200b\ud800 e\u0301\u0301\u0301\u0301\u0301\u0301 👩‍👩‍👧‍👦\t界'.repeat(
			3,
		);
	const data = {session_id: hostile, cwd: hostile, message: hostile, reason: hostile, damaged: hostile};
	const bad = hookEvent({
		client: hostile,
		event: hostile,
		data: {...data, [hostile]: hostile} as typeof data,
	});
	const {screen, parts} = await opened(120, 40, withNewer(emptyLog, [bad, bad, {...bad, id: hostile}]));
	parts.stores.connection.setState({
		problem: {what: hostile, hint: hostile, at: 1},
		hooks: {what: hostile, at: 1},
		skipped: {total: 1, count: 1, what: hostile, at: 1},
	});
	await screen.until(lines => lines.join('').includes('evil'));
	expectStraightBorders(screen.cells());
	await screen.resize(80, 24);
	expectStraightBorders(screen.cells());
	await screen.press('\t', 'f');
	expectStraightBorders(screen.cells());
	for (const chunk of screen.written) expect(guardWrite(chunk).foreign, JSON.stringify(chunk)).toBe(0);
});
