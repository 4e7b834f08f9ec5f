import {afterEach, expect, test} from 'vitest';
import {createReadMarker} from '../../src/ui/read-marker.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {appParts} from '../support/app-parts.ts';
import {expectStraightBorders} from '../support/borders.ts';
import {type EngineBench, engineBench} from '../support/engine-bench.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';

const second = 1_000;
const minute = 60 * second;

let bench: EngineBench;
let screen: Screen;

afterEach(async () => {
	screen.close();
	await bench.end();
});

const lacks =
	(...words: readonly string[]) =>
	(rows: readonly string[]) =>
		!words.some(word => rows.some(row => row.includes(word)));

/** A screen over an engine that watches sessions named `s0`, `s1` ... with a message of the user and an answer each. */
async function open(
	columns: number,
	rows: number,
	{count = 3, pages = 'newest-first' as 'newest-first' | 'oldest-first'} = {},
) {
	bench = engineBench({pages, isLive: true, requestsPerSecond: 1_000});
	const {engine, stores, clock, model} = bench;
	await engine.start();
	for (let index = 0; index < count; index++) {
		model.add(`s${index}`, 1, 'user');
		model.add(`s${index}`, 1);
		engine.registry.addSession(`s${index}`, 'added');
		engine.registry.markSession(`s${index}`, {name: `name-${index}`});
	}
	await clock.advance(20 * second);
	for (let index = 0; index < count; index++) engine.sessions.activity.markSeen(`s${index}`);
	const plain = appParts(clock);
	const parts: AppParts = {...plain, stores, actions: {...plain.actions, engine, stores}};
	parts.view.setState({sort: 'name'});
	const mark = createReadMarker(parts);
	for (const store of [parts.view, stores.streams, stores.fleet] as const) store.subscribe(() => mark(true));
	screen = openScreen(parts, columns, rows);
	await screen.until(has('name-0'));
	return {parts, drafts: plain.kept};
}

/** The words of a session's message as the screen shows them. */
const words = (id: string, index: number) => bench.model.ids(id).at(index) ?? '';
const unread = (id: string) => bench.stores.fleet.getState().sessions.get(id)?.activity?.unread;

/** Lets the cursor rest, so that the session at it is previewed. */
const rest = () => bench.clock.advance(40);

test.each([
	['newest-first', 80, 24],
	['oldest-first', 200, 50],
] as const)(
	'%s, %i x %i: the cursor previews the cache, and nothing else happens',
	async (pages, columns, rows) => {
		const {parts, drafts} = await open(columns, rows, {pages});
		await screen.press('g');
		bench.model.add('s1', 2);
		await bench.clock.advance(30 * second);
		expect(unread('s1')).toBe(2);
		await screen.press('\r');
		await rest();
		await screen.until(has(words('s0', -1), 'Message'));
		await screen.press(' ', 'half a thought', '\x1b', '\x1b');
		await screen.until(has('> half a thought', 'Enter open'));
		bench.model.clear();
		await screen.press('k');
		await rest();
		const preview = await screen.until(
			has('─ name-1 · ', 'Preview', words('s1', -1), '── 2 new ──', 'Enter opens'),
		);
		expectStraightBorders(screen.cells());
		expect(preview.join('\n')).not.toContain('half a thought');
		expect(preview.join('\n')).not.toContain('Message');
		// Letters act on the lists; none is text for either session.
		await screen.press('Z', '1');
		await rest();
		expect(bench.model.requests.filter(({id}) => id === 's1')).toEqual([]);
		expect(bench.stores.streams.getState().open.has('s1')).toBe(false);
		expect(unread('s1')).toBe(2);
		// Out of the lists, back to the composer: it is that of the open session.
		await screen.press('\x1b[Z', ', and the rest');
		const back = await screen.until(has('name-0 ·', words('s0', -1), '> half a thought, and the rest'));
		expect(lacks('Preview')(back)).toBe(true);
		expect(parts.view.getState()).toMatchObject({shown: {id: 's0'}, focus: 'composer'});
		parts.drafts.flush();
		expect([drafts.get('s0')?.text, drafts.get('s1')]).toEqual(['half a thought, and the rest', undefined]);
	},
);

test('a message that comes to the previewed session is shown, and stays unread', async () => {
	await open(120, 40);
	await screen.press('g', 'j');
	await rest();
	await screen.until(has('─ name-1 · ', 'Preview'));
	bench.model.add('s1', 1);
	await bench.clock.advance(minute);
	await screen.until(has('─ name-1 · ', 'Preview', words('s1', -1), '── 1 new ──'));
	expect(unread('s1')).toBe(1);
	await screen.press('\r');
	await rest();
	await screen.until(rows => lacks('Preview')(rows) && has('── 1 new ──', 'Message')(rows));
	expect(unread('s1')).toBe(0);
	await screen.press('\r', 'a reply', '\r');
	await bench.clock.advance(second);
	const replied = await screen.until(has('  a reply '));
	expect(lacks('1 new')(replied)).toBe(true);
});

test('Esc ends browsing: the cursor and the main area return to the open session', async () => {
	const {parts} = await open(120, 40);
	await screen.press('g', '\r', '\x1b', 'j', 'j');
	await rest();
	await screen.until(has('─ name-2 · ', 'Preview'));
	await screen.press('\x1b');
	await screen.until(rows => lacks('Preview')(rows) && has('Message')(rows));
	expect(parts.view.getState()).toMatchObject({cursor: {id: 's0'}, focus: 'lists', shown: {id: 's0'}});
});

test('a quick reply goes to the previewed session, and the other draft is untouched', async () => {
	const {parts, drafts} = await open(120, 40);
	await screen.press('g', '\r', ' ', 'for the first', '\x1b', '\x1b', 'j');
	await rest();
	await screen.until(has('─ name-1 · ', 'Preview'));
	await screen.press(' ', 'for the second', '\r');
	await bench.clock.advance(second);
	const sent = (id: string) => (bench.stores.outbox.getState().bySession.get(id) ?? []).map(({text}) => text);
	expect([sent('s0'), sent('s1')]).toEqual([[], ['for the second']]);
	expect(drafts.get('s0')?.text).toBe('for the first');
	expect(parts.view.getState()).toMatchObject({focus: 'lists', shown: {id: 's0'}});
});

test('side by side, the preview takes the place that its session would open in', async () => {
	const {parts} = await open(200, 50);
	await screen.press('g', '\r', '\x1b', 'j', '|');
	await rest();
	await screen.until(has('Message to name-1'));
	await screen.press('j');
	await rest();
	const rows = await screen.until(has('─ name-2 · ', 'Preview'));
	expect(rows.some(row => row.includes('name-0 ·') && row.includes('─ name-2 · '))).toBe(true);
	expect(lacks('Message to', 'name-1 ·')(rows)).toBe(true);
	await screen.press('g');
	await rest();
	await screen.until(rows => lacks('Preview')(rows) && has('name-0 ·', 'name-1 ·', 'Message to')(rows));
	expect(parts.view.getState().split).toEqual(['s0', 's1']);
});

test('a session without cached messages says that none were read yet, not that it has none', async () => {
	const {parts} = await open(120, 40);
	bench.model.intercept = ({id}) => {
		if (id === 'new') throw new Error('out of reach');
	};
	bench.engine.registry.addSession('new', 'added');
	parts.view.setState({cursor: {section: 'sessions', id: 'new'}});
	await rest();
	await screen.until(has('Preview', 'No messages have been read yet.'));
});

test('a session that was never read claims no older messages above a message of ours', async () => {
	const {parts} = await open(120, 40);
	const {engine, stores} = bench;
	bench.model.intercept = ({id}) => {
		if (id === 'new') throw new Error('out of reach');
	};
	engine.registry.addSession('new', 'added');
	await engine.outbox.enqueue('new', {text: 'words of ours'});
	parts.view.setState({cursor: {section: 'sessions', id: 'new'}});
	await rest();
	expect(stores.streams.getState().preview?.phase.name).toBe('loading');
	const rows = await screen.until(has('Preview', 'words of ours', 'unconfirmed'));
	expect(lacks('older messages')(rows)).toBe(true);
});
