import {expect, test} from 'vitest';
import type {Stream} from '../../../src/state/stream.ts';
import {openSession} from '../../../src/ui/open-session.ts';
import {sessionsReadToEnd} from '../../../src/ui/read-marker.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession} from '../../support/fleet.ts';

function setup() {
	const parts = appParts(fakeClock());
	parts.stores.fleet.setState(fleet([knownSession('s')]));
	openSession(parts, 's', 'main');
	const read = (change: Partial<Stream> = {}) => {
		const stream: Stream = {sessionId: 's', entries: [], hasOlder: false, phase: {name: 'ready'}, ...change};
		return sessionsReadToEnd(parts, {open: new Map([['s', stream]])});
	};
	return {parts, read};
}

test('an answer counts as read at the end of an up-to-date stream that is on the screen', () => {
	const {parts, read} = setup();
	expect(read()).toEqual(['s']);
	expect([read({phase: {name: 'loading'}}), read({hasNewer: true})]).toEqual([[], []]);
	const scrolled = {isFollowing: false, top: {id: 'm', line: 0}, selected: 'm', lastSeen: 'm'} as const;
	parts.view.setState({scrollStates: new Map([['s', scrolled]])});
	expect(read()).toEqual([]);
	parts.view.setState({scrollStates: new Map(), page: 'events'});
	expect(read()).toEqual([]);
});

test('an answer behind a dialog is not read before the dialog is closed', () => {
	const {parts, read} = setup();
	parts.view.setState({dialogs: [{kind: 'inbox'}]});
	expect(read()).toEqual([]);
	parts.view.setState({dialogs: []});
	expect(read()).toEqual(['s']);
});
