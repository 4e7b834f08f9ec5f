import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	canDiscard,
	type DeliveryEvent,
	type DeliveryState,
	deliver,
	findPosted,
	isUnderWay,
	type OutboxItem,
} from '../../../../src/domain/messages/delivery.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';

const base: OutboxItem = {
	id: 'x',
	sessionId: 's',
	text: 'go on',
	images: [],
	files: [],
	state: 'queued',
	createdAt: 1,
	tries: 1,
};
const inState: Record<DeliveryState, OutboxItem> = {
	queued: {...base, notBefore: 5, unreached: 'service', problem: 'waits'},
	sending: {...base, state: 'sending', sentAt: 10, knownBefore: ['m0']},
	accepted: {...base, state: 'accepted', sentAt: 10, messageId: 'm1'},
	seen: {...base, state: 'seen', sentAt: 10, messageId: 'm1'},
	unconfirmed: {
		...base,
		state: 'unconfirmed',
		sentAt: 10,
		knownBefore: ['m0'],
		lookUntil: 99,
		problem: 'lost',
	},
	failed: {...base, state: 'failed', problem: 'no'},
};
const events: Record<DeliveryEvent['type'], DeliveryEvent> = {
	sending: {type: 'sending', at: 20, knownBefore: []},
	notSent: {type: 'notSent', problem: 'p', notBefore: 30},
	rateLimited: {type: 'rateLimited', problem: 'p', notBefore: 30},
	reached: {type: 'reached', what: 'service'},
	held: {type: 'held', problem: 'p'},
	refused: {type: 'refused', problem: 'p'},
	lost: {type: 'lost', problem: 'p', lookUntil: 40},
	accepted: {type: 'accepted', messageId: 'm2'},
	foundInListing: {type: 'foundInListing', messageId: 'm2'},
	seen: {type: 'seen'},
	disowned: {type: 'disowned', problem: 'p', lookUntil: 60},
	giveUpLooking: {type: 'giveUpLooking', problem: 'p'},
	lookAgain: {type: 'lookAgain', lookUntil: 50},
	repeat: {type: 'repeat', at: 50, notBefore: 60},
	resend: {type: 'resend'},
};
/** Where each event leads from each state; what isn't here changes nothing. */
const table: {[type in DeliveryEvent['type']]: Partial<Record<DeliveryState, DeliveryState>>} = {
	sending: {queued: 'sending'},
	notSent: {sending: 'queued'},
	rateLimited: {sending: 'queued'},
	reached: {queued: 'queued'},
	held: {sending: 'queued'},
	refused: {sending: 'failed'},
	lost: {sending: 'unconfirmed'},
	accepted: {queued: 'accepted', sending: 'accepted', unconfirmed: 'accepted', failed: 'accepted'},
	foundInListing: {unconfirmed: 'seen'},
	seen: {accepted: 'seen'},
	disowned: {accepted: 'unconfirmed', seen: 'unconfirmed'},
	giveUpLooking: {unconfirmed: 'unconfirmed'},
	lookAgain: {unconfirmed: 'unconfirmed'},
	repeat: {unconfirmed: 'queued'},
	resend: {queued: 'queued', unconfirmed: 'queued', failed: 'queued'},
};

describe('deliver', () => {
	const cases = (Object.keys(inState) as DeliveryState[]).flatMap(state =>
		(Object.keys(events) as DeliveryEvent['type'][]).map(type => ({state, type, next: table[type][state]})),
	);
	test.each(cases)('$type in $state: $next', ({state, type, next}) => {
		const after = deliver(inState[state], events[type]);
		if (next === undefined) expect(after).toBe(inState[state]);
		else expect(after.state).toBe(next);
	});

	test('keeps what the next step needs to know', () => {
		const sending = deliver(inState.queued, events.sending);
		expect(sending).toEqual({...base, state: 'sending', sentAt: 20, tries: 2, knownBefore: []});
		expect(deliver(sending, events.notSent)).toEqual({...base, tries: 2, notBefore: 30, problem: 'p'});
		const lost = deliver(sending, events.lost);
		expect(lost).toMatchObject({sentAt: 20, lookUntil: 40, problem: 'p', knownBefore: []});
		expect(isUnderWay(lost)).toBe(true);
		const given = deliver(lost, events.giveUpLooking);
		expect(given.lookUntil).toBeUndefined();
		expect(isUnderWay(given)).toBe(false);
		expect(deliver(given, events.foundInListing)).toMatchObject({state: 'seen', messageId: 'm2'});
		expect(deliver(given, events.resend)).toEqual({...base, tries: 0});
	});

	test('what only waited to reach the service is due once it responds, but not what it told to wait', () => {
		const sending = deliver(base, events.sending);
		const unreached = deliver(sending, {type: 'notSent', problem: 'p', notBefore: 30, unreached: 'service'});
		expect(unreached).toMatchObject({notBefore: 30, unreached: 'service', problem: 'p'});
		expect(deliver(unreached, events.reached)).toEqual({...base, tries: 2});
		expect(deliver(unreached, events.sending)).not.toHaveProperty('unreached');
		const limited = deliver(sending, events.rateLimited);
		expect(deliver(limited, events.reached)).toBe(limited);
	});

	test('ignores the end of a try that comes during a later one', () => {
		const later = {...inState.sending, sentAt: 77};
		for (const type of ['notSent', 'rateLimited', 'held', 'refused', 'lost'] as const) {
			const event = {...events[type], sentAt: 20} as DeliveryEvent;
			expect(deliver(later, event)).toBe(later);
			expect(deliver({...later, sentAt: 20}, event).state).not.toBe('sending');
		}
	});

	test('never loses the text, drops an id unless it is disowned, or leaves the state seen', () => {
		const {disowned: _, ...others} = events;
		fc.assert(
			fc.property(fc.array(fc.constantFrom(...Object.values(others)), {maxLength: 30}), list => {
				let item = base;
				for (const event of list) {
					const after = deliver(item, event);
					expect(after.text).toBe(base.text);
					if (item.messageId !== undefined) expect(after.messageId).toBe(item.messageId);
					if (item.state === 'seen') expect(after).toBe(item);
					expect(after.messageId !== undefined).toBe(after.state === 'accepted' || after.state === 'seen');
					item = after;
				}
			}),
		);
	});

	test("can't discard a message on the wire, or one that the service has", () => {
		expect(
			Object.values(inState)
				.filter(item => !canDiscard(item))
				.map(({state}) => state),
		).toEqual(['sending', 'accepted', 'seen']);
	});
});

describe('findPosted', () => {
	const none: ReadonlySet<string> = new Set();
	const lost: OutboxItem = {...inState.unconfirmed, sentAt: 1000};
	const posted = (rest: Partial<Message> = {}): Message => ({
		id: 'm',
		createdAt: 1000,
		content: [{text: 'go on'}],
		...rest,
	});
	const find = (message: Message, {item = lost, known = none, claimed = none, skew = 0} = {}) =>
		findPosted(item, [message], known, claimed, skew)?.id;

	test('takes a message with the same words', () => {
		expect(find(posted())).toBe('m');
		expect(find(posted({content: [{text: 'go on\r\n'}]}))).toBe('m');
		expect(find(posted({role: 'user'}))).toBe('m');
	});

	test('takes no message that is older, known, claimed, worded differently or by someone else', () => {
		expect(find(posted({createdAt: 999}))).toBeUndefined();
		expect(find(posted({createdAt: 999}), {skew: 1})).toBe('m');
		expect(find(posted({createdAt: 1000}), {skew: -1})).toBeUndefined();
		expect(find(posted({createdAt: undefined}))).toBeUndefined();
		expect(find(posted(), {known: new Set(['m'])})).toBeUndefined();
		expect(find(posted(), {claimed: new Set(['m'])})).toBeUndefined();
		expect(find(posted({content: [{text: 'go'}]}))).toBeUndefined();
		expect(find(posted({role: 'assistant'}))).toBeUndefined();
		expect(find(posted(), {item: base})).toBeUndefined();
	});

	test('counts attachments', () => {
		const item = {...lost, images: [{data: 'aa'}], files: [{name: 'f'}]};
		const image = {type: 'image'};
		expect(find(posted(), {item})).toBeUndefined();
		expect(find(posted({content: [{text: 'go on'}, image, image]}), {item})).toBe('m');
		expect(find(posted({content: [{text: 'go on'}, image]}))).toBeUndefined();
	});

	test('takes the oldest of several', () => {
		const several = [posted({id: 'b', createdAt: 3000}), posted({id: 'a', createdAt: 2000})];
		expect(findPosted(lost, several, none, none, 0)?.id).toBe('a');
	});
});
