import {expect, test} from 'vitest';
import type {ContentItem, Message, MessageRole} from '../../../../src/domain/messages/message.ts';
import {
	type ActivityInput,
	activityOf,
	quietTurn,
	type RoledMessage,
	type SessionActivity,
} from '../../../../src/domain/sessions/activity.ts';
import {turnStart} from '../../../../src/state/sessions/session-look.ts';
import {outboxItem} from '../../../support/fleet.ts';

const start = Date.UTC(2026, 10, 22, 9);
/** Long after all messages of these examples. */
const later = start + 600_000;

/** A message of the n-th second; a string is a text. */
function message(
	role: MessageRole | undefined,
	content: string | readonly ContentItem[],
	fields: Partial<Message> = {},
): (n: number) => RoledMessage {
	return n => ({
		message: {
			id: `m${n}`,
			content: typeof content === 'string' ? [{id: `c${n}`, text: content}] : content,
			createdAt: start + n * 1000,
			...fields,
		},
		...(role && {role}),
	});
}

const user = (text = 'Fix the failing test', fields?: Partial<Message>) => message('user', text, fields);
const agent = (content: string | readonly ContentItem[], fields?: Partial<Message>) =>
	message('assistant', content, fields);
const tool = (content: string | readonly ContentItem[], fields?: Partial<Message>) =>
	message('tool', content, fields);
const call = (name: string, id?: string): ContentItem => ({
	type: 'tool_use',
	...(id && {id}),
	name,
	input: {command: 'npm test'},
});
const result = (id?: string): ContentItem => ({
	type: 'tool_result',
	...(id && {tool_use_id: id}),
	content: 'ok',
});

const history = (...makers: ((n: number) => RoledMessage)[]) => makers.map((make, index) => make(index));

function read(messages: readonly RoledMessage[], input: Partial<ActivityInput> = {}): SessionActivity {
	const activity = activityOf({
		messages,
		isWhole: true,
		isNew: true,
		changed: new Set(),
		now: later,
		...input,
	});
	if (!activity) throw new Error('no activity');
	return activity;
}

/** The third message of a history, as it was posted here. */
const posted = outboxItem({text: 'Then deploy', state: 'seen', createdAt: start, messageId: 'm2'});

const stateOf = (messages: readonly RoledMessage[], input?: Partial<ActivityInput>) => {
	const {state, evidence, tool: name} = read(messages, input);
	return name === undefined ? [state, evidence] : [state, evidence, name];
};

const asking = (state: string) =>
	agent([{id: 'c', text: '**Permission for Bash**', request: {id: 'r', title: 'Bash: npm test', state}}]);

test.each([true, false])(
	'a message that waited is being worked on once the turn before it has failed',
	isWaiting => {
		const messages = history(
			user('sleep 5; false', {isWaiting: false}),
			user('sleep 25', {isWaiting}),
			agent('[exit 1]', {isError: true, parentId: 'm0'}),
		);
		expect(read(messages)).toMatchObject({state: 'working', evidence: 'user-message', words: 'sleep 25'});
		const answer = agent('[exit 2]', {isError: true, parentId: 'm1'});
		expect(read([...messages, answer(3)])).toMatchObject({
			state: 'failed',
			words: '[exit 2]',
			derivedFrom: 'm3',
		});
	},
);

test("a message that waits for its turn isn't being worked on yet", () => {
	const waiting = {...posted, isBehind: true};
	const messages = history(
		user(),
		agent([{text: 'I run the tests.'}, call('Bash', 'a')]),
		user('Then deploy'),
	);
	const accepted = read(messages.slice(0, -1), {outbox: [{...waiting, state: 'accepted'}]});
	expect(turnStart({state: 'working', source: 'posted', since: later, activity: accepted})).toBe(start);
	const queued = read(messages, {outbox: [waiting]});
	expect(queued).toMatchObject({turnAt: start, words: 'I run the tests.', tool: 'Bash', state: 'working'});
	expect(turnStart({state: 'working', source: 'activity', since: later, activity: queued})).toBe(start);
	const taken = [...messages, agent('Deploying', {parentId: 'm2'})(3)];
	const next = read(taken, {outbox: [waiting], before: queued});
	expect(turnStart({state: 'working', source: 'activity', since: later, activity: next})).toBe(start + 2000);
});

test('an open request asks at once, even while a tool call is open', () => {
	const messages = history(user(), agent([call('Bash', 'a')]), asking('open'));
	expect(stateOf(messages, {now: start + 3000})).toEqual(['asks', 'request', 'Bash']);
	expect(read(messages).words).toBe('Bash: npm test');
	const answered = history(user(), agent([call('Bash', 'a')]), asking('allowed'));
	expect(stateOf(answered)).toEqual(['working', 'tool-call', 'Bash']);
});

type Row = [name: string, messages: RoledMessage[], expected: string[]];

test.each<Row>([
	[
		'an error without text or role',
		history(user(), message(undefined, [], {isError: true})),
		['failed', 'error'],
	],
	[
		'a call goes before a question in the same message',
		history(user(), agent([{type: 'text', text: 'What does the log say?'}, call('Bash', 't1')])),
		['working', 'tool-call', 'Bash'],
	],
	['a message without words', history(user(), agent([])), ['done', 'answer']],
	['a message without content', history(user(), agent([], {content: undefined})), ['done', 'answer']],
	[
		'a role that is not known',
		history(user(), message(undefined, 'Which one do you want?')),
		['done', 'answer'],
	],
	[
		'a question in thinking is no question to the user',
		history(
			user(),
			agent([
				{type: 'reasoning', text: 'Should I?'},
				{type: 'text', text: 'Done.'},
			]),
		),
		['done', 'answer'],
	],
	[
		'questions and prose in parts of their own',
		history(user(), agent([{text: 'Done.'}, {text: 'Should I push it?'}])),
		['asks', 'question'],
	],
])('state: %s', (_name, messages, expected) => {
	expect(stateOf(messages)).toEqual(expected);
});

test.each<Row>([
	[
		'a call without a type',
		history(user(), agent([{id: 't1', name: 'Read', input: {}}])),
		['working', 'tool-call', 'Read'],
	],
	[
		'a call without a name',
		history(user(), agent([{type: 'tool_call', id: 't1'}])),
		['working', 'tool-call', 'tool'],
	],
	[
		'a result while its role is not known',
		history(user(), agent([call('Read', 't1')]), message(undefined, [{toolUseId: 't1', content: 'ok'}])),
		['working', 'tool-call'],
	],
	[
		'a result with an id, of a call without one',
		history(user(), agent([call('Read')]), tool([result('t1')])),
		['working', 'tool-call'],
	],
	[
		'a call and its result by call_id',
		history(
			user(),
			agent([{type: 'function_call', id: 'fc1', call_id: 'c1', name: 'shell', arguments: '{}'}]),
			tool([{type: 'function_call_output', call_id: 'c1', output: 'ok'}]),
		),
		['working', 'tool-call'],
	],
	[
		'an older call that never got its result',
		history(
			user(),
			agent([call('Read', 't1')]),
			agent([{text: 'Next, the tests.'}, call('Bash', 't2')]),
			tool([result('t2')]),
		),
		['working', 'tool-call'],
	],
	[
		'a call, its result and the answer in one message',
		history(user(), agent([call('search', 't1'), result('t1'), {type: 'text', text: 'Version 8 is out.'}])),
		['done', 'answer'],
	],
	[
		'a result whose call is on an older page',
		history(tool([result('t1')]), agent('Done.')),
		['done', 'answer'],
	],
])('tools: %s', (_name, messages, expected) => {
	expect(stateOf(messages)).toEqual(expected);
});

const reminder = user('<reminder>The file a.ts changed. Did you see it?</reminder>', {isUserVisible: false});

test.each<Row>([
	[
		"the agent's own notes",
		history(user(), agent('Done.'), agent('Summary: what is left?', {isUserVisible: false})),
		['done', 'answer'],
	],
	[
		'a result',
		history(user(), agent([call('Bash', 't1')]), tool([result('t1')], {isUserVisible: false})),
		['working', 'tool-call'],
	],
	[
		'an error that the client dealt with',
		history(user(), agent('Done.'), agent('Retrying', {isError: true, isUserVisible: false})),
		['done', 'answer'],
	],
	['nothing else', history(reminder), ['done', 'answer']],
])('invisible messages: %s', (_name, messages, expected) => {
	expect(stateOf(messages)).toEqual(expected);
});

test('an answer that grows is work, even while messages of the user wait behind it', () => {
	const at = (text: string) => history(user(), agent(text), user('Then deploy'), user('And tell me'));
	const before = read(at('tick 1'), {now: start + 3_000});
	const grown = read(at('tick 1\n\ntick 2'), {before, changed: new Set(['m1']), now: later});
	expect(grown).toMatchObject({state: 'working', changedAt: later});
	const edited = read(at('tick 1'), {before, changed: new Set(['m0']), now: later});
	expect(edited.changedAt).toBe(before.changedAt);
});

test('mere output of tools, as of an install, is work only while it grows', () => {
	const installed = history(tool('web $ npm ci'), tool('api: nothing to install'));
	const before = read(installed, {now: start});
	const stateAt = (time: number, isWhole = true) => {
		const {state, evidence, unread} = read(installed, {before, now: start + time, isNew: false, isWhole});
		return [state, evidence, unread];
	};
	expect(stateAt(quietTurn - 1)).toEqual(['working', 'growing', 0]);
	expect(stateAt(quietTurn)).toEqual(['done', 'answer', 0]);
	// An agent may have written what isn't read.
	expect(stateAt(quietTurn, false)).toEqual(['working', 'tool-call', 0]);
});

test("a message that was found long after it was written isn't work in progress", () => {
	const before = read(history(user()));
	const messages = history(user(), agent('Done.'));
	const found = read(messages, {before, changed: new Set(['m1']), now: later});
	expect(found).toMatchObject({state: 'done', evidence: 'answer', changedAt: start + 1000});
	expect(read(messages, {before: found, now: later + 5000})).toMatchObject({
		state: 'done',
		changedAt: start + 1000,
	});
	// A listing or a clock that lags by a minute is no reason to call a turn over.
	const now = start + 61_000;
	expect(read(messages, {before, changed: new Set(['m1']), now})).toMatchObject({
		state: 'working',
		changedAt: now,
	});
});

test("the time is the newest message's, by the service, or else when it was found", () => {
	const dated = history(user(), agent('Done.', {updatedAt: start + 9000}));
	expect(read(dated).at).toBe(start + 9000);
	const undated = {createdAt: undefined};
	expect(read(history(user(), agent('Done.', undated))).at).toBe(start);
	expect(read(history(user('Go on', undated), agent('Done.', {...undated, updatedAt: start + 7}))).at).toBe(
		start + 7,
	);
	const none = history(user('Go on', undated), agent('Done.', undated));
	expect(read(none).at).toBe(later);
	// One without a time is as old as the read that found it, and stays so.
	const found = read(none, {before: read(dated), changed: new Set(['m1']), now: later + 1, skew: 5});
	expect(found.at).toBe(later + 6);
	expect(read(none, {before: found, now: later + 9000}).at).toBe(later + 6);
	const mixed = history(user(), agent('Done.', undated));
	expect(read(mixed, {before: read(history(user())), changed: new Set(['m1'])}).at).toBe(later);
	expect(read(history(user(), agent('Done.')), {now: start - 5000}).changedAt).toBe(start - 5000);
});

test('words: the first line of the newest visible text, by agent or user', () => {
	expect(read(history(user(), agent('\n\n  Done: **all pass**\nDetails…'))).words).toBe('Done: all pass');
	const plain = [
		['## The `build` is **green**, see **`ci.ts`**', 'The build is green, see ci.ts'],
		['- [x] 2 * 3 * 4 of src/**/a/**/*.ts', '[x] 2 * 3 * 4 of src/**/a/**/*.ts'],
		['> quoted', 'quoted'],
		['#42 and __init__.py', '#42 and __init__.py'],
	] as const;
	for (const [text, words] of plain) expect(read(history(user(), agent(text))).words).toBe(words);
	expect(read(history(user('Go on'), agent([call('Bash', 't1')]), tool('total 48'))).words).toBe('Go on');
	expect(read(history(user(), agent('---\n```ts\nconst a = 1;\n```'))).words).toBe('const a = 1;');
	expect(read(history(user(), agent('Done.'), reminder)).words).toBe('Done.');
	expect(read(history(agent('😀'), agent('…'))).words).toBeUndefined();
	expect([...(read(history(agent(`a${'😀'.repeat(500)}`))).words ?? '')]).toHaveLength(200);
});

test('words: those of the running message, whatever waits behind it or stands below it', () => {
	const [first, second] = [user('false', {isWaiting: false}), user('sleep 60', {isWaiting: false})];
	const third = user('ls', {isWaiting: true});
	const ended = agent('[exit 1]', {parentId: 'm0', isError: true});
	const outbox = [2, 3].map(n => ({...posted, isBehind: true as const, messageId: `m${n}`}));
	const words = (...makers: ((n: number) => RoledMessage)[]) => read(history(...makers), {outbox}).words;
	expect(words(first, second, third, ended)).toBe('sleep 60');
	expect(words(first, second, ended, third)).toBe('sleep 60');
});

test("words: a program's output as it is, without its colors", () => {
	const output = agent('\u001b[1m* __main__\u001b[0m', {isOutput: true});
	expect(read(history(user(), output)).words).toBe('* __main__');
});

test('words: the last line of the newest text while it grows', () => {
	const text = 'I look at it:\n- **step 1**\n- **step 2**\n```\n';
	const written = history(user('First\nsecond'), agent(text));
	expect(read(written, {now: start + 2_000})).toMatchObject({evidence: 'growing', words: 'step 2'});
	expect(read(written)).toMatchObject({evidence: 'answer', words: 'I look at it:'});
	const thinking = history(user('First\nsecond'), agent([{type: 'thinking', text: 'Hm'}]));
	expect(read(thinking, {now: start + 2_000})).toMatchObject({evidence: 'growing', words: 'First'});
});

test('words: while a message waits, the last line of the answer before it', () => {
	const outbox = [{...posted, isBehind: true}];
	const messages = history(user(), agent('tick 1\n\ntick 2'), user('Then deploy'));
	const queued = read(messages, {outbox});
	expect(queued).toMatchObject({evidence: 'user-message', words: 'tick 2'});
	const grown = history(user(), agent('tick 1\n\ntick 2\n\ntick 3'), user('Then deploy'));
	expect(read(grown, {outbox, before: queued, changed: new Set(['m1'])}).words).toBe('tick 3');
	const calling = history(user(), agent([{text: 'I run it:\nall'}, call('Bash', 'a')]), user('Then deploy'));
	expect(read(calling, {outbox})).toMatchObject({tool: 'Bash', words: 'I run it:'});
	expect(read(messages).words).toBe('Then deploy');
});

test("title: the first visible words of the session's first user message, which stay", () => {
	const messages = history(
		reminder,
		user('  \n'),
		user('Fix the login\nIt fails'),
		agent('Done.'),
		user('Thanks'),
	);
	expect(read(messages).title).toBe('Fix the login');
	expect(read(messages.slice(2), {isWhole: false}).title).toBeUndefined();
	expect(read(messages.slice(4), {isWhole: false, before: read(messages)}).title).toBe('Fix the login');
});

test.each<
	[string, RoledMessage[], Partial<ActivityInput>, Pick<SessionActivity, 'unread' | 'isUnreadPartial'>]
>([
	[
		'what is invisible neither counts nor reads',
		history(user(), agent('One.'), reminder, agent('Notes', {isUserVisible: false}), agent('Two.')),
		{},
		{unread: 2},
	],
])('unread: %s', (_name, messages, input, expected) => {
	const {unread, isUnreadPartial} = read(messages, input);
	expect({unread, ...(isUnreadPartial && {isUnreadPartial})}).toEqual(expected);
});

test('what was there at the first read counts as read, except a question or an error', () => {
	const answers = history(user(), agent('One.'), agent('Two.'));
	const first = read(answers, {isNew: false});
	expect(first.unread).toBe(0);
	const more = [...answers, agent('Three.')(3)];
	expect(read(more, {isNew: false, before: first}).unread).toBe(1);
	const asked = history(user(), agent('Shall I go on?'), reminder);
	const asks = read(asked, {isNew: false});
	expect(asks).toMatchObject({state: 'asks', unread: 1});
	expect(read(asked, {before: asks}).unread).toBe(1);
	expect(read(asked, {isNew: false, seenIds: new Set(['m1'])}).unread).toBe(0);
	expect(read(asked, {isNew: false, seenIds: new Set(['m2'])}).unread).toBe(0);
	expect(read(history(agent('Overloaded', {isError: true})), {isNew: false}).unread).toBe(1);
});

test("what is unread doesn't depend on how far our clock is from the service's", () => {
	for (const skew of [-600_000, 600_000]) {
		const now = start + 3000 - skew;
		const first = read(history(user(), agent('One.')), {isNew: false, now, skew});
		expect(first.unread).toBe(0);
		const both = history(user(), agent('One.'), agent('Two.'));
		const next = read(both, {before: first, changed: new Set(['m2']), now: now + 1000, skew});
		expect(next).toMatchObject({state: 'working', evidence: 'growing', unread: 1, changedAt: now + 1000});
		expect(first.changedAt).toBe(start + 1000 - skew);
	}
});

test('an answer to a message posted here is unread, even if the first read found it', () => {
	const messages = history(user(), agent('One.'), user('Go on'), agent('Two.'));
	expect(read(messages, {isNew: false, outbox: [posted]}).unread).toBe(1);
});

test("what another agent sends doesn't read for the user", () => {
	const unread = (author?: string) =>
		read(history(user(), agent('Done.'), user('And now?', {author}))).unread;
	expect([unread('agent fix-login'), unread()]).toEqual([1, 0]);
});

test('what was read stays read when the last message read is deleted', () => {
	const messages = history(user(), agent('One.'), agent('Shall I go on?'), reminder);
	const before = read(messages, {seenIds: new Set(['m3'])});
	expect(before.unread).toBe(0);
	expect(read(messages.slice(0, 3), {seenIds: new Set(['m3']), before})).toMatchObject({
		state: 'asks',
		unread: 0,
	});
	const next = [...messages.slice(0, 2), agent('Two.')(5)];
	expect(read(next, {seenIds: new Set(['m3']), before}).unread).toBe(1);
});

test("a change of an older answer, or a deletion, isn't work", () => {
	const messages = history(user(), agent('One.'), user('Go on'), agent('Two.'));
	const before = read(messages);
	const edited = messages.with(1, agent('One, and more.')(1));
	expect(read(edited, {before, changed: new Set(['m1'])})).toEqual(before);
	const shorter = read(messages.slice(0, 2), {before, now: later + 1000});
	expect(shorter).toMatchObject({state: 'done', newestId: 'm1', changedAt: before.changedAt});
	// Another program has found these: here, they are no change.
	const more = [...messages, agent('Three.', {createdAt: later})(4)];
	expect(read(more, {before, now: later + 1000})).toMatchObject({state: 'working', evidence: 'growing'});
});

test('a turn is over if a hook says so, whatever is found of it', () => {
	const before = read(history(user()), {now: start + 20_000});
	const messages = history(user(), agent('Shall I push it?'));
	const found = {before, changed: new Set(['m1']), turnEndedAt: start + 20_500};
	const asks = {state: 'asks', evidence: 'question', unread: 1};
	expect(read(messages, {...found, now: start + 21_000})).toMatchObject(asks);
	// A listing lagged: the answer is as old as the turn.
	expect(read(messages, {...found, now: start + 60_000})).toMatchObject(asks);
	const late = history(user(), agent('Shall I push it?'), agent('I am', {createdAt: start + 60_000}));
	const working = {state: 'working', evidence: 'growing'};
	const more = {before, changed: new Set(['m2']), turnEndedAt: start + 20_500, now: start + 60_000};
	expect(read(late, more)).toMatchObject(working);
	expect(read(history(user(), agent('Done.'), user()), {...found, now: start + 21_000}).state).toBe(
		'working',
	);
});

test.each([
	['line 1\nline 2\nline 3\n', 'line 3'],
	['ls: cannot access x\n[exit 2]', 'ls: cannot access x'],
	['tick 1\ntick 2\n\n[interrupted: you quit Quarterdeck]', '[interrupted: you quit Quarterdeck]'],
	['[exit 1]', '[exit 1]'],
])('the words of output %j are its last line', (text, words) => {
	expect(read(history(user(), agent(text, {isOutput: true})))).toMatchObject({words});
	expect(read(history(user(), agent('First line\nLast line')))).toMatchObject({words: 'First line'});
});
