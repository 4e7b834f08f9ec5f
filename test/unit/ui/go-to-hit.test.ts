import {expect, test} from 'vitest';
import type {Stream, StreamEntry} from '../../../src/state/stream.ts';
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

test('a match near the end stays where it is while messages arrive', () => {
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
