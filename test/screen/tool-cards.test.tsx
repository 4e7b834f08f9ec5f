import {afterEach, expect, test} from 'vitest';
import type {ContentItem, Message, MessageRole} from '../../src/domain/messages/message.ts';
import type {SessionActivity} from '../../src/domain/sessions/activity.ts';
import type {Stream, StreamEntry} from '../../src/state/stream.ts';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession} from '../support/fleet.ts';
import {keptMessages} from '../support/kept-messages.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';

let screen: Screen | undefined;
let kept: ReturnType<typeof keptMessages> | undefined;
afterEach(() => {
	screen?.close();
	kept?.close();
});

const at = new Date(2026, 10, 21, 12).getTime();
const entry = (
	id: string,
	role: MessageRole,
	...content: ContentItem[]
): StreamEntry & {kind: 'message'} => ({
	kind: 'message',
	id,
	version: 1,
	role,
	message: {id, createdAt: at, content} satisfies Message,
});
const text = (value: string): ContentItem => ({type: 'text', text: value});
const use = (id: string, name: string, input: unknown): ContentItem => ({type: 'tool_use', id, name, input});
const result = (id: string, content: string): ContentItem => ({
	type: 'tool_result',
	tool_use_id: id,
	content,
});
const reads = (...ids: readonly string[]) =>
	ids.flatMap(id => [
		entry(id, 'assistant', use(id, 'Read', {file_path: `src/${id}.ts`})),
		entry(`${id}-result`, 'tool', result(id, `first line of ${id}\na needle in ${id}`)),
	]);

function opened(
	list: readonly (StreamEntry & {kind: 'message'})[],
	activity?: Partial<SessionActivity>,
	hasReducedMotion = false,
	rows = 30,
	profile = {},
) {
	const clock = fakeClock();
	const parts = appParts(clock, {profile});
	if (hasReducedMotion) parts.display.setState({hasReducedMotion});
	kept = keptMessages();
	const now = clock.now();
	const newestId = list.at(-1)?.id ?? '';
	const working: SessionActivity = {
		...{state: 'working', evidence: 'tool-call', at: now, changedAt: now, newestId, unread: 0},
		...activity,
	};
	const session = {sessionId: 's', title: 'talk', computerId: 'c'};
	const cwd = '/home/ada/shop';
	// As one that is read all the time.
	const readAt = now + 60_000;
	const known = activity ? {session, cwd, readAt, activity: working} : {session, cwd};
	parts.stores.fleet.setState(fleet([knownSession('s', known)], []));
	const show = (entries: readonly (StreamEntry & {kind: 'message'})[], more: Partial<Stream> = {}) => {
		kept?.messages.put(
			's',
			entries.map(({message}) => ({message})),
		);
		const stream: Stream = {
			sessionId: 's',
			entries,
			hasOlder: false,
			phase: {name: 'ready'},
			readAt: at,
			...more,
		};
		parts.stores.streams.setState({open: new Map([['s', stream]])});
	};
	show(list);
	const actions = {...parts.actions, search: createSearcher(kept.messages, parts.actions.clock)};
	const all = {...parts, actions};
	openSession(all, 's', 'main');
	screen = openScreen(all, 120, rows);
	return {screen, show, clock};
}

test('e expands the card at the cursor, E all cards, and E again collapses all', async () => {
	const list = [...reads('a', 'b', 'd'), entry('t', 'assistant', text('between')), ...reads('x', 'y', 'z')];
	const {screen} = opened(list);
	await screen.until(has('3 reads  a.ts, b.ts, d.ts'));
	await screen.press('e');
	const one = (await screen.until(has('a needle in z'))).join('\n');
	expect(one).toContain('3 reads  a.ts');
	await screen.press('E');
	await screen.until(rows => has('a needle in a')(rows) && has('a needle in x')(rows));
	await screen.press('E');
	const none = (await screen.until(has('3 reads  x.ts'))).join('\n');
	expect(none).toContain('3 reads  a.ts');
	expect(none).not.toContain('needle');
});

test('words inside a collapsed run are found, each match once', async () => {
	const list = [...reads('a', 'b', 'd'), entry('t', 'assistant', text('a needle between'))];
	const {screen} = opened(list);
	await screen.press('/', 'needle', '\r');
	await screen.until(has('4 of 4'));
	await screen.press('N');
	const rows = await screen.until(has('a needle in d'));
	expect(rows.join('\n')).toMatch(/▌.*Read/);
	await screen.press('N', 'N');
	await screen.until(has('match 1 of 3'));
	await screen.press('N');
	await screen.until(has('4 of 4'));
});

test('the selected message stays in place while everything expands', async () => {
	const run = (name: string) => reads(`${name}1`, `${name}2`, `${name}3`);
	const words = (id: string) => entry(id, 'assistant', text(`says ${id}`));
	const many = Array.from({length: 20}, (_, index) => [...run(`f${index}-`), words(`w${index}`)]).flat();
	const {screen} = opened(many);
	await screen.until(has('says w19'));
	await screen.press(...Array.from({length: 8}, () => 'k'));
	const rowOf = (rows: readonly string[]) => rows.findIndex(row => /▌.*says w15/.test(row));
	const before = rowOf(await screen.until(rows => rowOf(rows) > 0));
	await screen.press('E');
	const after = rowOf(await screen.until(has('a needle in')));
	expect(after).toBe(before);
	await screen.press('E');
	const again = rowOf(await screen.until(rows => !has('a needle in')(rows)));
	expect(again).toBe(before);
});

const call = [
	entry('u', 'user', text('test it')),
	entry('c', 'assistant', use('c', 'Bash', {command: 'npm test'})),
];

test('at the end of the stream, a spinner shows how long the turn has taken and what runs', async () => {
	const {screen, clock} = opened(call, {tool: 'Bash'});
	await screen.until(rows => /◐|◓|◑|◒/.test(rows.join('')) && has('0s')(rows));
	await clock.advance(65_000);
	const rows = await screen.until(has('1m 05s'));
	expect(rows.find(row => row.includes('1m 05s') && row.includes('Bash npm test'))).toBeDefined();
});
