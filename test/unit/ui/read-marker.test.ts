import {beforeEach, expect, test} from 'vitest';
import type {MessageRole} from '../../../src/domain/messages/message.ts';
import type {SessionActivity} from '../../../src/domain/sessions/activity.ts';
import type {Stream, StreamEntry} from '../../../src/state/stream.ts';
import {openSession} from '../../../src/ui/open-session.ts';
import {createReadMarker} from '../../../src/ui/read-marker.ts';
import {currentStream} from '../../../src/ui/stream/stream-now.ts';
import {windowOf} from '../../../src/ui/stream/viewport.ts';
import {appParts} from '../../support/app-parts.ts';
import {fakeClock} from '../../support/fake-clock.ts';
import {fleet, knownSession, noon} from '../../support/fleet.ts';

let parts: ReturnType<typeof appParts>;
let isLooking: boolean;

/** A screen of 120 x 40 whose user looks at it, over sessions `s` and `other`. */
beforeEach(() => {
	parts = appParts(fakeClock());
	parts.screen.size = {columns: 120, rows: 40};
	parts.stores.fleet.setState(fleet([knownSession('s'), knownSession('other')]));
	isLooking = true;
	const mark = createReadMarker(parts);
	const run = () => mark(isLooking);
	parts.view.subscribe(run);
	parts.stores.streams.subscribe(run);
	parts.stores.fleet.subscribe(run);
	parts.actions.engine.sessions.activity.markSeen = id => {
		const {activity} = parts.stores.fleet.getState().sessions.get(id) ?? {};
		if (activity && activity.unread > 0) record(id, {...activity, unread: 0});
	};
});

function record(id: string, activity: SessionActivity): void {
	const {sessions} = parts.stores.fleet.getState();
	parts.stores.fleet.setState({sessions: new Map(sessions).set(id, {...knownSession(id), activity})});
}

/** The newest messages of a session as last read, of which so many are unread. */
function reads(id: string, count: number, unread: number): void {
	const at = {at: noon, changedAt: noon};
	record(id, {state: 'done', evidence: 'answer', newestId: `m${count - 1}`, ...at, unread});
}

const entry = (index: number, role: MessageRole = 'assistant', lines = 1): StreamEntry => {
	const text = Array.from({length: lines}, () => 'words').join('\n\n');
	const message = {id: `m${index}`, createdAt: noon + index, content: [{id: 'text', text}]};
	return {kind: 'message', id: message.id, version: 1, message, role};
};

function shows(id: string, count: number, phase: 'loading' | 'ready', lines = 1): void {
	const entries = Array.from({length: count}, (_, index) => entry(index, 'assistant', lines));
	const stream: Stream = {sessionId: id, entries, hasOlder: false, phase: {name: phase}};
	const {open} = parts.stores.streams.getState();
	parts.stores.streams.setState({open: new Map(open).set(id, stream)});
}

const unread = (id = 's') => parts.stores.fleet.getState().sessions.get(id)?.activity?.unread;
const line = (id = 's') => parts.view.getState().newLines.get(id);
const reading = () => parts.view.getState().scrollStates.get('s');

test('the new line stays above what was unread on opening while messages arrive and are read', () => {
	reads('s', 5, 2);
	openSession(parts, 's', 'main');
	shows('s', 5, 'loading');
	expect([unread(), line()]).toEqual([2, undefined]);
	// The first answer has one more, which is recorded after it is shown.
	shows('s', 6, 'ready');
	expect(unread()).toBe(2);
	reads('s', 6, 3);
	expect(unread()).toBe(0);
	expect(line()).toEqual({id: 'm3', count: 3, isPartial: false});
	shows('s', 7, 'ready');
	reads('s', 7, 1);
	expect([unread(), line()?.id]).toEqual([0, 'm3']);
	openSession(parts, 'other', 'main');
	expect(line()).toBeUndefined();
	openSession(parts, 's', 'main');
	expect(line()).toBeUndefined();
});

test('messages that arrive while nobody looks get their own new line', () => {
	reads('s', 3, 0);
	openSession(parts, 's', 'main');
	shows('s', 3, 'ready');
	isLooking = false;
	shows('s', 5, 'ready');
	reads('s', 5, 2);
	expect([unread(), line()]).toEqual([2, undefined]);
	isLooking = true;
	parts.view.setState({dialogs: [{kind: 'inbox'}]});
	expect(unread()).toBe(2);
	parts.view.setState({dialogs: []});
	expect([unread(), line()?.id]).toEqual([0, 'm3']);
});

test('more unread messages than fit start near the top, and count as read at the end', () => {
	reads('s', 9, 4);
	openSession(parts, 's', 'main');
	shows('s', 9, 'loading', 10);
	const stream = currentStream(parts);
	const top = stream && windowOf(stream, reading() ?? {isFollowing: true}).slices[0];
	// One row of what was read, then the line.
	expect(top).toMatchObject({index: 4, to: stream?.rowsAt(4), from: (stream?.rowsAt(4) ?? 0) - 1});
	shows('s', 9, 'ready', 10);
	expect([unread(), line()?.count]).toEqual([4, 4]);
	parts.input.run(parts, 'bottom');
	expect([unread(), line()?.id]).toEqual([0, 'm5']);
	parts.input.run(parts, 'up');
	expect(reading()?.isFollowing).toBe(false);
});

test('moves a stream to its unread messages once, but not against the reader', () => {
	reads('s', 9, 4);
	openSession(parts, 's', 'main');
	shows('s', 9, 'loading', 10);
	parts.input.run(parts, 'bottom');
	shows('s', 9, 'loading', 10);
	expect(reading()?.isFollowing).toBe(true);
	shows('s', 10, 'ready', 10);
	reads('s', 10, 5);
	expect(reading()?.isFollowing).toBe(true);
	expect([unread(), line()?.count]).toEqual([0, 5]);
});

test('a newly created session follows its messages, however soon the first one is recorded', () => {
	openSession(parts, 's', 'composer');
	shows('s', 1, 'loading', 50);
	reads('s', 1, 1);
	shows('s', 1, 'ready', 50);
	expect(reading()?.isFollowing).not.toBe(false);
	expect([unread(), line()]).toEqual([0, undefined]);
	// What comes later while nobody looks is new.
	isLooking = false;
	shows('s', 2, 'ready', 50);
	reads('s', 2, 1);
	isLooking = true;
	parts.view.setState({});
	expect(line()?.id).toBe('m1');
});

test('a reader who left in the middle of a session returns there', () => {
	const middle = {isFollowing: false, top: {id: 'm1', line: 0}, selected: 'm1', lastSeen: 'm8'} as const;
	parts.view.setState({scrollStates: new Map([['s', middle]])});
	reads('s', 9, 4);
	openSession(parts, 's', 'main');
	shows('s', 9, 'ready', 10);
	expect(reading()).toEqual(middle);
	expect(unread()).toBe(4);
});

test("what a preview covers or shows doesn't count as read", () => {
	reads('s', 3, 0);
	openSession(parts, 's', 'lists');
	shows('s', 3, 'ready');
	const preview: Stream = {sessionId: 'other', entries: [entry(0)], hasOlder: false, phase: {name: 'ready'}};
	reads('other', 1, 1);
	parts.stores.streams.setState({preview});
	parts.view.setState({cursor: {section: 'sessions', id: 'other'}});
	shows('s', 4, 'ready');
	reads('s', 4, 1);
	expect([unread(), unread('other')]).toEqual([1, 1]);
	parts.view.setState({focus: 'main'});
	expect([unread(), unread('other'), line()?.id]).toEqual([0, 1, 'm3']);
});

test('an answer that was seen arriving counts as read, even if it is recorded after the user looks away', () => {
	reads('s', 5, 0);
	openSession(parts, 's', 'main');
	shows('s', 5, 'ready');
	shows('s', 6, 'ready');
	isLooking = false;
	reads('s', 6, 1);
	expect(unread()).toBe(0);
	// What comes from then on is not.
	shows('s', 7, 'ready');
	reads('s', 7, 1);
	expect(unread()).toBe(1);
});

test('an answer that grows after its session left the screen is unread', () => {
	reads('s', 5, 1);
	openSession(parts, 's', 'main');
	shows('s', 5, 'ready');
	expect(unread()).toBe(0);
	parts.view.setState({page: 'sessions'});
	const stream = parts.stores.streams.getState().open.get('s');
	const entries = stream?.entries.map(one => ({...one, version: 2})) ?? [];
	if (stream) parts.stores.streams.setState({open: new Map([['s', {...stream, entries}]])});
	reads('s', 5, 1);
	expect(unread()).toBe(1);
	parts.view.setState({page: 'work'});
	expect([unread(), line()]).toEqual([0, {id: 'm4', count: 1, isPartial: false}]);
});

test('what another program reads of an answer after its session left the screen is unread', () => {
	const at = {at: noon, changedAt: noon};
	const answers = (text: string) =>
		record('s', {
			...{state: 'done', evidence: 'answer', newestId: 'm4', ...at, unread: 1},
			answer: {id: 'm4', text: `${text.length} ${text}`},
		});
	answers('words');
	openSession(parts, 's', 'main');
	shows('s', 5, 'ready');
	expect(unread()).toBe(0);
	parts.view.setState({page: 'sessions'});
	answers('words and more');
	expect(unread()).toBe(1);
	parts.view.setState({page: 'work'});
	expect(unread()).toBe(1);
	answers('words');
	expect(unread()).toBe(0);
});

test('a stream whose end is on the screen counts as read, even if an earlier message is selected', () => {
	reads('s', 9, 0);
	openSession(parts, 's', 'main');
	shows('s', 9, 'ready');
	parts.input.run(parts, 'up');
	expect(reading()?.isFollowing).toBe(false);
	shows('s', 10, 'ready');
	reads('s', 10, 1);
	expect(unread()).toBe(0);
});
