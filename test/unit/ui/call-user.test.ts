import {expect, test} from 'vitest';
import type {HookEvent} from '../../../src/domain/hook-event.ts';
import type {Alert} from '../../../src/domain/signal.ts';
import {createLister} from '../../../src/state/lists.ts';
import {createStores} from '../../../src/state/stores.ts';
import {createViewStore} from '../../../src/state/view.ts';
import {createCalls} from '../../../src/ui/call-user.ts';
import {fleet, knownSession, noon, signal} from '../../support/fleet.ts';

function desk({seen = [], quiet}: {seen?: readonly string[]; quiet?: {from: number; to: number}} = {}) {
	const stores = createStores();
	const told: string[] = [];
	const titles: string[] = [];
	const calls = createCalls({
		stores,
		lister: createLister(),
		view: createViewStore(),
		terminal: {
			notify: (title, body) => told.push(`${title}: ${body}`),
			setTitle: title => titles.push(title),
		},
		isBeforeEyes: id => seen.includes(id),
		quietHours: quiet,
		now: () => new Date(2026, 10, 21, 23, 0).getTime(),
	});
	stores.fleet.setState(
		fleet(
			[knownSession('s', {session: {sessionId: 's', title: 'fix-login'}})],
			[],
			[signal('s', 'needs-permission', {message: 'May I push?'})],
		),
	);
	const hook = (alert: Alert | undefined, sessionId = 's') =>
		calls.hookNews({
			sessionId,
			event: {event: 'Notification', data: {message: 'May I push?', cwd: '/srv'}} as unknown as HookEvent,
			...(alert && {alert}),
		});
	return {stores, told, titles, calls, hook};
}

test('an alert names the session and what it asks; what is no alert calls nobody', () => {
	const {told, hook} = desk();
	hook('needs-you');
	hook(undefined);
	hook('done');
	hook('error');
	hook('needs-you', 'nobody-knows-it');
	expect(told).toEqual([
		'fix-login needs you: May I push?',
		'fix-login failed: May I push?',
		'An agent needs you: May I push?',
	]);
});

test('never for what is on screen, and not in quiet hours: the title counts all the same', () => {
	const before = desk({seen: ['s']});
	before.hook('needs-you');
	const asleep = desk({quiet: {from: 22 * 60, to: 7 * 60}});
	asleep.hook('needs-you');
	expect([before.told, asleep.told]).toEqual([[], []]);
	expect(asleep.titles).toEqual(['(1) quarterdeck']);
});

test('the title counts what asks and was not put aside, and is set when the number changes', () => {
	const {stores, titles, calls} = desk();
	const mark = {
		sessionId: 's',
		episode: `permission|${noon}|May I push?`,
		kind: 'acknowledged',
		at: noon,
	} as const;
	stores.attention.setState({marks: new Map([['s', mark]])});
	stores.fleet.setState({problems: new Map()});
	stores.attention.setState({marks: new Map()});
	expect(titles).toEqual(['(1) quarterdeck', 'quarterdeck', '(1) quarterdeck']);
	calls.stop();
	stores.fleet.setState(fleet());
	expect(titles).toHaveLength(3);
});

test('the end of a snooze calls once, if it still asks', () => {
	const {stores, told, calls} = desk();
	calls.snoozeEnded('s');
	stores.fleet.setState(fleet([knownSession('s')]));
	calls.snoozeEnded('s');
	expect(told).toEqual(['fix-login still needs you: May I push?']);
});

test('a message that was on its way and is stuck now calls once', () => {
	const {stores, told} = desk();
	const item = (state: 'sending' | 'unconfirmed', problem?: string) => ({
		bySession: new Map([
			[
				's',
				[
					{
						id: 'o',
						sessionId: 's',
						text: 'x',
						images: [],
						files: [],
						state,
						createdAt: noon,
						tries: 1,
						...(problem && {problem}),
					},
				],
			],
		]),
	});
	// What was stuck already when the program began is in the inbox, and no news.
	stores.outbox.setState(item('unconfirmed'));
	expect(told).toEqual([]);
	stores.outbox.setState(item('sending'));
	stores.outbox.setState(item('unconfirmed', 'The answer was lost'));
	stores.outbox.setState(item('unconfirmed', 'The answer was lost'));
	expect(told).toEqual(['fix-login has a message that was not sent: The answer was lost']);
});
