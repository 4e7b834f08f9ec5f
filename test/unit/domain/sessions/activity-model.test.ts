import fc from 'fast-check';
import {expect, test} from 'vitest';
import type {ContentItem, Message, MessageRole} from '../../../../src/domain/messages/message.ts';
import {
	activityOf,
	type RoledMessage,
	type SessionActivity,
} from '../../../../src/domain/sessions/activity.ts';

/** How a service shows tools: who returns results, and whether calls and results have ids. */
type Service = {readonly results: 'tool' | 'user' | 'text'; readonly hasIds: boolean};

type Act =
	| {readonly kind: 'wait'; readonly ms: number}
	| {readonly kind: 'post' | 'remind' | 'fail' | 'see' | 'restart'}
	| {readonly kind: 'say'; readonly isQuestion: boolean; readonly isDated: boolean}
	| {readonly kind: 'grow'; readonly isQuestion: boolean; readonly isStamped: boolean}
	| {readonly kind: 'call'; readonly count: number; readonly areApart: boolean; readonly isDated: boolean}
	| {readonly kind: 'result'; readonly which: number; readonly isError: boolean}
	| {readonly kind: 'read'; readonly cut: number};

type Entry = {
	message: Message;
	readonly role: MessageRole;
	writtenAt: number;
	readonly isDated: boolean;
	/** The session's revision that it was last changed in. */
	revision: number;
};
type Turn = 'nothing' | 'user-message' | 'tool-call' | 'answer' | 'question' | 'error';

const states = {
	nothing: 'done',
	'user-message': 'working',
	'tool-call': 'working',
	answer: 'done',
	question: 'asks',
	error: 'failed',
} as const;

/** A user and an agent who write a session's messages, and know what is going on. */
class Session {
	readonly entries: Entry[] = [];
	readonly #service: Service;
	now = Date.UTC(2026, 10, 22, 9);
	/** Counts what a read can find new. */
	revision = 0;
	turn: Turn = 'nothing';
	/** Index of the message that the turn shows in. */
	turnIndex = 0;
	/** The open calls, and the index of the first message that called together with them. */
	calls: {readonly id: string; readonly name: string}[] = [];
	callIndex = 0;
	/** Calls that a message of the user interrupted: their results still come. */
	#interrupted: string[] = [];
	/** Indexes of the agent's messages that the user has not read. */
	unread: number[] = [];
	/** Index up to which the user has read; their own messages included. */
	readIndex = -1;
	firstPost: string | undefined;
	/** First and last line of the newest text. */
	words: {readonly index: number; readonly text: string; readonly lastLine: string} | undefined;

	constructor(service: Service) {
		this.#service = service;
	}

	do(act: Exclude<Act, {kind: 'read' | 'see' | 'restart'}>): void {
		switch (act.kind) {
			case 'wait':
				this.now += act.ms;
				return;
			case 'post': {
				const text = `Task ${this.entries.length}`;
				this.firstPost ??= text;
				this.#interrupted.push(...this.calls.map(({id}) => id));
				this.calls = [];
				this.readIndex = this.#add('user', [{text}], {}, true);
				this.unread = [];
				this.#turnIs('user-message', text);
				return;
			}
			case 'remind':
				this.#add('user', [{text: 'Reminder: is a.ts still open?'}], {isUserVisible: false}, true);
				return;
			case 'say':
				this.calls = [];
				this.unread.push(this.#add('assistant', [{text: this.#text(act.isQuestion)}], {}, act.isDated));
				this.#turnIs(act.isQuestion ? 'question' : 'answer', this.#text(act.isQuestion, 1));
				return;
			case 'grow':
				this.#grow(act.isQuestion, act.isStamped);
				return;
			case 'fail':
				this.calls = [];
				this.unread.push(this.#add('assistant', [{text: 'Overloaded'}], {isError: true}, true));
				this.#turnIs('error', 'Overloaded');
				return;
			case 'call':
				this.#call(act.count, act.areApart, act.isDated);
				return;
			case 'result':
				this.#result(act.which, act.isError);
		}
	}

	#text(isQuestion: boolean, later = 0): string {
		return `Step ${this.entries.length - later} is ${isQuestion ? 'next. Shall I go on?' : 'done.'}`;
	}

	#grow(isQuestion: boolean, isStamped: boolean): void {
		const entry = this.entries.at(-1);
		if (!entry || (this.turn !== 'answer' && this.turn !== 'question')) return;
		if (this.turnIndex !== this.entries.length - 1) return;
		const lastLine = `Next. ${isQuestion ? 'Which one?' : 'It is done.'}`;
		const text = `${entry.message.content?.[0]?.text}\n\n${lastLine}`;
		if (this.words) this.words = {...this.words, lastLine};
		const updatedAt = isStamped && entry.isDated ? {updatedAt: this.now} : {};
		entry.message = {...entry.message, content: [{text}], ...updatedAt};
		if (isStamped && entry.isDated) entry.writtenAt = this.now;
		entry.revision = ++this.revision;
		this.turn = isQuestion ? 'question' : 'answer';
	}

	#call(count: number, areApart: boolean, isDated: boolean): void {
		// An agent waits for the results before it calls again.
		if (this.calls.length > 0) return;
		const names = Array.from({length: count}, (_, n) => `Tool${this.entries.length}-${n}`);
		this.callIndex = this.entries.length;
		const groups = areApart ? names.map(name => [name]) : [names];
		for (const group of groups) {
			const items = group.map(
				(name): ContentItem => ({
					type: 'tool_use',
					...(this.#service.hasIds && {id: `id-${name}`}),
					name,
					input: {},
				}),
			);
			this.unread.push(this.#add('assistant', items, {}, isDated));
			this.calls.push(...group.map(name => ({id: `id-${name}`, name})));
		}
		this.#turnIs('tool-call');
	}

	#result(which: number, isError: boolean): void {
		const {hasIds, results} = this.#service;
		const isPaired = hasIds && results !== 'text';
		const ids = [...this.calls.map(({id}) => id), ...(isPaired ? this.#interrupted : [])];
		const id = ids[isPaired ? which % Math.max(ids.length, 1) : 0];
		if (id === undefined) return;
		this.calls = this.calls.filter(call => call.id !== id);
		this.#interrupted = this.#interrupted.filter(call => call !== id);
		const item: ContentItem =
			results === 'text'
				? {text: 'What is in it? total 48?'}
				: {type: 'tool_result', ...(hasIds && {tool_use_id: id}), content: 'ok'};
		this.#add(results === 'user' ? 'user' : 'tool', [item], {isError}, true);
		this.#turnIs('tool-call');
	}

	#add(role: MessageRole, content: ContentItem[], fields: Partial<Message>, isDated: boolean): number {
		const id = `m${this.entries.length}`;
		const message = {id, content, ...(isDated && {createdAt: this.now}), ...fields};
		this.entries.push({message, role, writtenAt: this.now, isDated, revision: ++this.revision});
		return this.entries.length - 1;
	}

	#turnIs(turn: Turn, words?: string): void {
		this.turn = turn;
		this.turnIndex = this.entries.length - 1;
		if (words !== undefined) this.words = {index: this.turnIndex, text: words, lastLine: words};
	}
}

/** Reads a session now and then, keeps only what JSON keeps, and compares with what is going on. */
class Reader {
	readonly #session: Session;
	#before: SessionActivity | undefined;
	#seenId: string | undefined;
	/** Known once a read has reached back to the first message. */
	#title: string | undefined;
	#newestRead = -1;
	#revision = -1;
	/** Since when, as far as reads can tell, nothing has changed. */
	#quietSince = 0;

	/** Whether nothing was in the session when it became known; otherwise, what the first read finds counts as read. */
	readonly #isNew: boolean;
	#firstIndex = -1;
	/** Index of the newest message that the user has seen. */
	#seenIndex = -1;

	constructor(session: Session, isNew: boolean) {
		this.#session = session;
		this.#isNew = isNew;
	}

	restart(): void {
		this.#before = this.#before && JSON.parse(JSON.stringify(this.#before));
	}

	/** The user reads all that the last read found. */
	see(): void {
		if (this.#newestRead < 0) return;
		this.#seenId = `m${this.#newestRead}`;
		this.#seenIndex = this.#newestRead;
		this.#session.readIndex = Math.max(this.#session.readIndex, this.#newestRead);
		this.#session.unread = this.#session.unread.filter(index => index > this.#newestRead);
	}

	read(cut: number): void {
		const {entries, now, turn, turnIndex, revision, calls, callIndex, unread, readIndex, words} =
			this.#session;
		const newest = entries.length - 1;
		// Any page shows the message that the turn shows in.
		const start = Math.min(cut, turnIndex, newest);
		const messages = entries.slice(start).map(({message, role}): RoledMessage => ({message, role}));
		const activity = activityOf({
			messages,
			isWhole: start === 0,
			isNew: this.#isNew,
			...(this.#seenId !== undefined && {seenIds: new Set([this.#seenId])}),
			changed: new Set(
				entries.filter(entry => entry.revision > this.#revision).map(({message}) => message.id),
			),
			before: this.#before,
			now,
		});
		const entry = entries[newest];
		if (!entry) {
			expect(activity).toBeUndefined();
			return;
		}
		this.#notice(entry, newest, activity?.at ?? 0);

		const isGrowing = now - this.#quietSince < 15_000 && ['answer', 'question', 'nothing'].includes(turn);
		const evidence = turn === 'nothing' ? 'answer' : turn;
		expect(activity).toMatchObject({
			state: isGrowing ? 'working' : states[turn],
			evidence: isGrowing ? 'growing' : evidence,
			newestId: entry.message.id,
		});
		if (calls.length === 0 || callIndex >= start) expect(activity?.tool).toBe(calls.at(-1)?.name);
		if (entry.isDated) expect(activity?.at).toBe(entry.writtenAt);
		if (words && words.index >= start) expect(activity?.words).toBe(isGrowing ? words.lastLine : words.text);
		if (start === 0) this.#title = this.#session.firstPost;
		expect(activity?.title).toBe(this.#title);
		if (this.#before === undefined && !this.#isNew) this.#firstIndex = newest;
		const firstIndex = this.#firstIndex;
		const isOpen = (turn === 'error' || (turn === 'question' && !isGrowing)) && turnIndex > this.#seenIndex;
		const count = unread.filter(index => index >= start && index > firstIndex).length;
		expect(activity?.unread).toBe(isOpen ? Math.max(count, 1) : count);
		expect(activity?.isUnreadPartial ?? false).toBe(start > 0 && Math.max(readIndex, firstIndex) < start);
		this.#before = activity;
		this.#newestRead = newest;
		this.#revision = revision;
	}

	#notice(entry: Entry, index: number, at: number): void {
		const {now, revision} = this.#session;
		const isLate = index !== this.#newestRead && entry.isDated && now - entry.writtenAt > 120_000;
		if (this.#before === undefined || isLate) this.#quietSince = entry.isDated ? entry.writtenAt : at;
		else if (revision !== this.#revision) this.#quietSince = now;
	}
}

const flag = fc.boolean();
const act: fc.Arbitrary<Act> = fc.oneof(
	{
		weight: 4,
		arbitrary: fc.record({
			kind: fc.constant('wait' as const),
			ms: fc.constantFrom(0, 1, 999, 5000, 14_999, 15_000, 60_000, 119_000, 121_000, 3_600_000),
		}),
	},
	{weight: 2, arbitrary: fc.constant({kind: 'post'} as const)},
	{weight: 1, arbitrary: fc.constantFrom<Act>({kind: 'remind'}, {kind: 'fail'}, {kind: 'restart'})},
	{weight: 2, arbitrary: fc.constant({kind: 'see'} as const)},
	{weight: 3, arbitrary: fc.record({kind: fc.constant('say' as const), isQuestion: flag, isDated: flag})},
	{weight: 3, arbitrary: fc.record({kind: fc.constant('grow' as const), isQuestion: flag, isStamped: flag})},
	{
		weight: 3,
		arbitrary: fc.record({
			kind: fc.constant('call' as const),
			count: fc.integer({min: 1, max: 4}),
			areApart: flag,
			isDated: flag,
		}),
	},
	{weight: 4, arbitrary: fc.record({kind: fc.constant('result' as const), which: fc.nat(7), isError: flag})},
	{weight: 6, arbitrary: fc.record({kind: fc.constant('read' as const), cut: fc.nat(30)})},
);
const service = fc.record({results: fc.constantFrom('tool' as const, 'user', 'text'), hasIds: flag});

test('a read at any time shows what the user and the agent are doing', () => {
	fc.assert(
		fc.property(service, fc.array(act, {maxLength: 60, size: 'max'}), flag, (kind, acts, isNew) => {
			const session = new Session(kind);
			const reader = new Reader(session, isNew);
			for (const step of acts) {
				if (step.kind === 'read') reader.read(step.cut);
				else if (step.kind === 'see') reader.see();
				else if (step.kind === 'restart') reader.restart();
				else session.do(step);
			}
			reader.read(0);
		}),
		{numRuns: 200},
	);
});
