import {expect, test} from 'vitest';
import type {Stream, StreamEntry} from '../../../src/state/stream.ts';
import {following} from '../../../src/state/view/view-states.ts';
import {openSession} from '../../../src/ui/open-session.ts';
import {goToHit} from '../../../src/ui/stream/go-to-hit.ts';
import {currentStream} from '../../../src/ui/stream/stream-now.ts';
import {windowOf} from '../../../src/ui/stream/viewport.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession, noon} from '../../support/fleet.ts';

const entry = (index: number): StreamEntry => {
	const message = {id: `m${index}`, createdAt: noon + index, content: [{id: 'text', text: `words ${index}`}]};
	return {kind: 'message', id: message.id, version: 1, message, role: 'assistant'};
};

test('a match near the end stays in place while messages arrive', () => {
	const parts = appParts(fakeClock());
	parts.screen.size = {columns: 120, rows: 40};
	parts.stores.fleet.setState(fleet([knownSession('s')]));
	openSession(parts, 's', 'main');
	const shows = (count: number) => {
		const entries = Array.from({length: count}, (_, index) => entry(index));
		const stream: Stream = {sessionId: 's', entries, hasOlder: false, phase: {name: 'ready'}};
		parts.stores.streams.setState({open: new Map([['s', stream]])});
	};
	const top = () => {
		const stream = currentStream(parts);
		const reading = parts.view.getState().scrollStates.get('s');
		return stream && reading && windowOf(stream, reading).slices[0];
	};
	shows(60);
	parts.input.run(parts, 'top');
	const find = {sessionId: 's', words: '57', isTyping: false, count: 1, newer: 0, isSearching: false};
	goToHit(parts, {...find, hit: {id: 'm57', nth: 0}});
	const before = top();
	shows(80);
	expect(before?.index).toBeGreaterThan(10);
	expect(top()).toEqual(before);
});

type Action = Parameters<ReturnType<typeof appParts>['input']['run']>[1];

/** A session of 60 messages, and another one. */
function twoSessions() {
	const parts = appParts(fakeClock());
	parts.screen.size = {columns: 120, rows: 40};
	parts.stores.fleet.setState(fleet([knownSession('s'), knownSession('other')]));
	const entries = Array.from({length: 60}, (_, index) => entry(index));
	const stream: Stream = {sessionId: 's', entries, hasOlder: false, phase: {name: 'ready'}};
	parts.stores.streams.setState({open: new Map([['s', stream]])});
	openSession(parts, 's', 'main');
	const find = (index: number) =>
		goToHit(parts, {
			...{sessionId: 's', words: `${index}`, isTyping: false, count: 1, newer: 0, isSearching: false},
			hit: {id: `m${index}`, nth: 0},
		});
	const reopen = () => {
		openSession(parts, 'other', 'main');
		openSession(parts, 's', 'main');
		return scroll();
	};
	const scroll = () => parts.view.getState().scrollStates.get('s') ?? following;
	return {parts, find, reopen, scroll, press: (action: Action) => parts.input.run(parts, action)};
}

test('a session reopens at its newest message after a search that Esc ended', () => {
	const {find, reopen, scroll, press} = twoSessions();
	find(10);
	find(20);
	press('clear-find');
	expect(scroll()).toMatchObject({isFollowing: false, selected: 'm20'});
	expect(reopen()).toEqual(following);
});

test('a session reopens where the reader was before a search, or where they read on after it', () => {
	const {parts, find, reopen, scroll, press} = twoSessions();
	press('top');
	const top = scroll();
	find(30);
	press('clear-find');
	openSession(parts, 's', 'main');
	expect(scroll()).toMatchObject({selected: 'm30'});
	expect(reopen()).toEqual(top);
	find(30);
	press('clear-find');
	press('up');
	expect(scroll()).toMatchObject({isFollowing: false});
	const read = scroll();
	expect(reopen()).toEqual(read);
	find(20);
	const found = scroll();
	expect(reopen()).toEqual(found);
});
