import {afterEach, expect, test} from 'vitest';
import {createSearcher} from '../../src/sync/search/searcher.ts';
import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession} from '../support/fleet.ts';
import {keptMessages} from '../support/kept-messages.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';

let ends: (() => void)[] = [];
afterEach(() => {
	for (const end of ends) end();
	ends = [];
});

const noon = new Date(2026, 10, 21, 12).getTime();

/** A screen over cached messages of one session, one minute apart, which take a moment to be searched. */
function searching(columns: number, title: string, texts: readonly string[]) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const kept = keptMessages();
	parts.stores.fleet.setState(fleet([knownSession('s', {session: {sessionId: 's', title}})], []));
	const message = (text: string, index: number) => ({
		message: {id: `m${index}`, createdAt: noon + index * 60_000, content: [{text}]},
	});
	const messages = texts.map(message);
	kept.messages.put('s', messages);
	const entries = messages.map(one => ({kind: 'message', id: one.message.id, version: 1, ...one}) as const);
	const stream = {sessionId: 's', entries, hasOlder: false, phase: {name: 'ready'}} as const;
	parts.stores.streams.setState({open: new Map([['s', stream]])});
	const find: typeof kept.messages.find = (...asked) =>
		Object.create(kept.messages.find(...asked), {isLong: {value: true}});
	const actions = {...parts.actions, search: createSearcher({...kept.messages, find}, clock)};
	const all = {...parts, actions};
	const screen: Screen = openScreen(all, columns, 24);
	ends.push(() => screen.close(), kept.close);
	return {screen, clock, parts: all};
}

test('while new words are being searched for, neither the old count nor the old hits apply', async () => {
	const {screen, clock, parts} = searching(80, 'talk', ['a needle', 'needles', 'need']);
	await screen.press('F', 'need');
	await clock.advance(100);
	await screen.until(has('3 found'));
	await screen.press('le');
	await screen.until(rows => has('> needle', 'searching…')(rows) && !has('3 found')(rows));
	await screen.press('\r');
	await screen.until(has('Still searching'));
	expect(parts.view.getState().dialogs).toHaveLength(1);
	await clock.advance(100);
	await screen.until(rows => has('2 found')(rows) && !has('searching…')(rows));
});

test('from the message that was found, Esc goes back to where the search began', async () => {
	const {screen, clock, parts} = searching(120, 'talk', ['a needle', 'hay', 'straw']);
	parts.stores.fleet.setState(fleet([knownSession('s', {}), knownSession('other', {})], []));
	const goToNeedle = async () => {
		await screen.press('F', 'needle');
		await clock.advance(100);
		await screen.until(has('1 found'));
		await screen.press('\r');
		await screen.until(has('Esc back'));
		expect(parts.view.getState()).toMatchObject({focus: 'main', shown: {kind: 'session', id: 's'}});
		await screen.press('\x1b');
	};
	const cursor = {section: 'sessions', id: 'other'} as const;
	parts.view.setState({cursor});
	await goToNeedle();
	await screen.until(() => parts.view.getState().focus === 'lists');
	expect(parts.view.getState()).toMatchObject({cursor, shown: undefined});
	openSession(parts, 'other', 'main');
	await goToNeedle();
	await screen.until(() => parts.view.getState().shown?.id === 'other');
	expect(parts.view.getState().focus).toBe('main');
	openSession(parts, 's', 'main');
	await screen.press('g');
	const top = parts.view.getState().scrollStates.get('s');
	await goToNeedle();
	await screen.until(() => parts.view.getState().find === undefined);
	expect(parts.view.getState().scrollStates.get('s')).toEqual(top);
});

test('a closed search leaves nothing in one that is opened before its answer', async () => {
	const {screen, clock} = searching(80, 'talk', ['a needle']);
	await screen.press('F', 'needle', '\x1b');
	await screen.until(rows => !has('> needle')(rows));
	await screen.press('F');
	await screen.until(has('beginnings of words'));
	await clock.advance(100);
	await screen.press('x');
	await screen.until(has('> x'));
	expect((await screen.rows()).join('\n')).not.toContain('a needle');
});
