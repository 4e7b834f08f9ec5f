import {test} from 'vitest';

import {openSession} from '../../src/ui/open-session.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {fleet, knownSession} from '../support/fleet.ts';
import {has, openScreen, type Screen} from '../support/screen.tsx';
import {workParts} from '../support/work-sample.ts';

let screen: Screen;

test('beside an open request, the composer says that a message is no answer', async () => {
	const {clock, parts} = workParts();
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
