import {afterEach, expect, test} from 'vitest';

import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../support/fleet.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {fillWithWork} from '../support/work-sample.ts';

let screen: Screen;
afterEach(() => screen.close());

test('a composer beside the lists says how to reach it where Enter opens something else', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	fillWithWork(parts.stores, clock.now());
	screen = openScreen(parts, 120, 40);
	await screen.rows();
	openSession(parts, 's-api', 'main');
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's-api'}});
	await screen.until(has('Space writes, Enter opens it'));
	parts.view.setState({cursor: {section: 'computers', id: 'build-box'}});
	await screen.until(has('> Tab leads here'));
});

test('beside an open request, the composer says that a message is no answer', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	fillWithWork(parts.stores, clock.now());
	const at = clock.now();
	const turn = {state: 'asks', evidence: 'request', newestId: 'm', unread: 1, derivedFrom: 'm'} as const;
	const {sessions} = parts.stores.fleet.getState();
	const known = knownSession('s-api', {...sessions.get('s-api'), activity: {...turn, at, changedAt: at}});
	parts.stores.fleet.setState({sessions: new Map(sessions).set('s-api', known)});
	screen = openScreen(parts, 120, 40);
	await screen.rows();
	openSession(parts, 's-api', 'composer');
	await screen.until(has('> A message, not an answer: Esc, then ! answers the request'));
	await screen.press('x');
	await screen.until(has('> x'));
});

test.each([
	[80, 24],
	[120, 40],
])('at %i x %i, only the keys that take a message back from the current place are named', async (...size) => {
	const clock = fakeClock();
	const parts = appParts(clock);
	fillWithWork(parts.stores, clock.now());
	const queued = {
		...({id: 'o', sessionId: 's-api', text: 'go', images: [], files: []} as const),
		...({state: 'queued', createdAt: 0, tries: 0} as const),
	};
	parts.stores.outbox.setState({bySession: new Map([['s-api', [queued]]])});
	openSession(parts, 's-api', 'composer');
	screen = openScreen(parts, ...size);
	const {computers} = parts.stores.fleet.getState();
	const lost = knownComputer('build-box', {unreachableSince: clock.now()});
	parts.stores.fleet.setState({computers: new Map(computers).set(lost.id, lost)});
	await screen.until(has('build-box is unreachable  ◌ 1 queued, Alt+↑ takes back'));
	await screen.until(has('  Alt+↑ take back before it is sent'));
	await screen.press('\x1B');
	await screen.until(has('  x take back before it is sent'));
	expect((await screen.rows()).join()).not.toContain('takes back');
	parts.view.setState({focus: 'lists', cursor: {section: 'sessions', id: 's-api'}});
	if (size[0] < 100) return;
	const lists = await screen.until(has('After Enter: x take back before it is sent'));
	expect(lists.join()).toContain('◌ 1 queued');
	expect(lists.join()).not.toContain('takes back');
});

test('an empty session names the keys that work where the focus is', async () => {
	const parts = appParts(fakeClock());
	parts.stores.fleet.setState(fleet([knownSession('s')], []));
	const stream = {sessionId: 's', entries: [], hasOlder: false, phase: {name: 'ready'}, readAt: 1} as const;
	parts.stores.streams.setState({open: new Map([['s', stream]])});
	screen = openScreen(parts, 120, 40);
	openSession(parts, 's', 'composer');
	await screen.until(has('No messages yet. Type a message; Enter sends it.'));
	parts.view.setState({focus: 'main'});
	await screen.until(has('No messages yet. Space or Enter writes the first one.'));
});
