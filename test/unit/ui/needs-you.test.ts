import {randomUUID} from 'node:crypto';
import {mkdirSync} from 'node:fs';
import {connect} from 'node:net';
import {join} from 'node:path';
import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import {currentEnvironment} from '../../../hooks/runtime-folder.ts';
import {findSockets} from '../../../hooks/sockets.ts';
import {encodeEnvelope, type HookData} from '../../../hooks/wire.ts';
import {acknowledge, snooze} from '../../../src/actions/acknowledge-and-snooze.ts';
import type {ActionContext} from '../../../src/actions/context.ts';
import {LostResponseError, RejectedError} from '../../../src/api/errors.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import {type Subject, subjectKey} from '../../../src/domain/sessions/attention.ts';
import {createListBuilder} from '../../../src/state/lists/lists.ts';
import {createStores} from '../../../src/state/stores.ts';
import {createViewStore} from '../../../src/state/view/view.ts';
import {Engine} from '../../../src/sync/engine.ts';
import {createNotifications} from '../../../src/ui/notifications.ts';
import {eventually} from '../../support/eventually.ts';
import {type FakeClock, fakeClock} from '../../support/fake-clock.ts';
import {hookEvent} from '../../support/hook-event.ts';
import type {HookFolders} from '../../support/hook-folders.ts';
import {type ListingModel, listingModel} from '../../support/listing-model.ts';
import {temporaryFolder} from '../../support/local-service.ts';
import {temporaryHookFolders} from '../../support/temporary-hook-folders.ts';

const second = 1_000;
const minute = 60 * second;

let clock: FakeClock;
let model: ListingModel;
let folders: HookFolders;
let file: string;
/** Messages that report an error. */
let errors: Set<string>;

beforeEach(() => {
	clock = fakeClock();
	model = listingModel({clock, pages: 'newest-first', latency: 5, isLive: true});
	errors = new Set();
	model.shape = page => ({
		...page,
		items: page.items.map(message => (errors.has(message.id) ? {...message, isError: true} : message)),
	});
	folders = temporaryHookFolders();
	mkdirSync(folders.runtime, {mode: 0o700, recursive: true});
	file = join(temporaryFolder(), 'kept.db');
});

type Program = Awaited<ReturnType<typeof startProgram>>;

/** A program without a screen, on the state folder that all of a test share. */
async function startProgram(owner: string) {
	const database = openDatabase({file, now: clock.now});
	const stores = createStores();
	const listBuilder = createListBuilder();
	/** What called the user. */
	const calls: string[] = [];
	const engine: Engine = new Engine({
		service: model.service,
		database,
		stores,
		clock,
		owner,
		hooks: {folder: folders.runtime, spoolFolder: folders.spool},
		random: () => 0.5,
		onHookUpdate: update => notifications.hookUpdate(update),
		onSnoozeEnd: subject => notifications.snoozeEnded(subject),
	});
	const notifications = createNotifications({
		stores,
		listBuilder,
		view: createViewStore(),
		terminal: {notify: (title, body) => calls.push(`${title}: ${body}`), setTitle() {}},
		isSeen: () => false,
		notifiesWhenDone: true,
		clock,
	});
	await engine.start();
	const known = () =>
		listBuilder.unfiltered(stores.fleet.getState(), stores.outbox.getState(), {
			marks: stores.attention.getState().marks,
		}).all;
	let isRunning = true;
	const stop = async () => {
		if (!isRunning) return;
		isRunning = false;
		notifications.stop();
		await engine.stop();
		database.close();
	};
	onTestFinished(stop);
	return {
		engine,
		calls,
		stop,
		needs: () => known().needs.map(subjectKey),
		/** The episode for which a session or computer needs the user. */
		episodeOf: (subject: Subject) =>
			known().needs.find(item => subjectKey(item) === subjectKey(subject))?.episode ?? '',
		context: {engine, stores, clock, keyName: (name: string) => name} as unknown as ActionContext,
	};
}

/** Lets the system tell of what another program wrote, as time passes. */
const soon = (look: () => void) =>
	eventually(async () => {
		await clock.advance(second);
		look();
	});

/** A hook that tells every program. */
async function hook(event: string, data: HookData): Promise<void> {
	const {receivedAt, delivery, ...envelope} = hookEvent({
		id: randomUUID(),
		event,
		ts: clock.now(),
		data: {session_id: 's', cwd: '/srv/shop', ...data},
	});
	for (const socket of findSockets([folders.runtime], currentEnvironment())) {
		let answer = '';
		const line = connect(socket.file);
		line.on('data', bytes => {
			answer += bytes;
		});
		line.end(encodeEnvelope(envelope));
		await eventually(async () => {
			await clock.advance(1);
			expect(answer).toContain(envelope.id);
		});
	}
}

function say(text: string, {isError = false} = {}): void {
	const [id = ''] = model.add('s', 1);
	model.edit('s', id, text);
	if (isError) errors.add(id);
}

const refuse = (error: Error) => {
	model.intercept = ({kind}) => {
		if (kind === 'add') throw error;
	};
};

const session: Subject = {kind: 'session', id: 's'};
const computer: Subject = {kind: 'computer', id: 'c'};

const kinds: readonly {
	readonly name: string;
	readonly subject: Subject;
	readonly happen: (program: Program) => unknown;
	readonly call: RegExp;
	/** Only the program that sends a message calls when it is stuck. */
	readonly callsOneProgram?: true;
}[] = [
	{
		name: 'a question',
		subject: session,
		happen: () => say('Keep the index, or drop it. Which one do you want?'),
		call: /asks you: Keep the index/,
	},
	{
		name: 'a failure',
		subject: session,
		happen: () => say('Out of memory.', {isError: true}),
		call: /failed: Out of memory/,
	},
	{name: 'a turn that is over', subject: session, happen: () => say('All pass.'), call: /is done: All pass/},
	{
		name: 'a hook that asks for a permission',
		subject: session,
		happen: () => hook('Notification', {notification_type: 'permission_prompt', message: 'May I push?'}),
		call: /needs you: May I push/,
	},
	{
		name: 'a hook that tells of an error',
		subject: session,
		happen: () => hook('StopFailure', {error: 'rate limit', message: 'rate limit'}),
		call: /failed: rate limit/,
	},
	{
		name: 'a message that was refused',
		subject: session,
		async happen({engine}) {
			refuse(new RejectedError('It is too long.', {hint: 'Shorten it.', status: 400}));
			await engine.outbox.enqueue('s', {text: 'Go on'});
		},
		call: /has an undelivered message: It is too long/,
		callsOneProgram: true,
	},
	{
		name: 'a message whose answer was lost',
		subject: session,
		async happen({engine}) {
			refuse(new LostResponseError('The answer was lost.', {hint: 'It is looked for.', status: 502}));
			await engine.outbox.enqueue('s', {text: 'Go on'});
		},
		call: /has an undelivered message/,
		callsOneProgram: true,
	},
	{
		name: 'a computer that failed',
		subject: computer,
		happen() {
			const steps = [{name: 'install', status: 'failed', error: 'no disk'}];
			model.computers.set('c', {id: 'c', name: 'gpu-lab', status: 'active', provisioningSteps: steps});
		},
		call: /^gpu-lab failed: install: no disk$/,
	},
];

/** Two programs on one state folder, which know a session at rest and a computer that is up. */
async function twoPrograms(): Promise<[Program, Program]> {
	model.computers.set('c', {id: 'c', name: 'gpu-lab', status: 'active', createdAt: clock.now()});
	model.add('s', 1, 'user');
	say('Hello.');
	await clock.advance(minute);
	const one = await startProgram('one');
	one.engine.registry.addSession('s', 'added');
	one.engine.computers.add('c', 'added');
	await clock.advance(minute);
	const other = await startProgram('other');
	await clock.advance(minute);
	for (const program of [one, other]) program.engine.sessions.activity.markSeen('s');
	await clock.advance(minute);
	expect([one.needs(), other.needs(), one.calls, other.calls]).toEqual([[], [], [], []]);
	return [one, other];
}

describe.each(kinds)('$name', ({subject, happen, call, callsOneProgram}) => {
	const key = subjectKey(subject);

	test('reaches Needs you in every program, and calls the user once', async () => {
		const [one, other] = await twoPrograms();
		await happen(one);
		await soon(() => expect([one.needs(), other.needs()]).toEqual([[key], [key]]));
		await clock.advance(5 * minute);
		expect(one.calls).toEqual([expect.stringMatching(call)]);
		expect(other.calls).toEqual(callsOneProgram ? [] : one.calls);
	});

	test('is acknowledged, restored and snoozed in every program, even across a restart', async () => {
		const [one, other] = await twoPrograms();
		await happen(one);
		await soon(() => expect([one.needs(), other.needs()]).toEqual([[key], [key]]));
		const asked = {subject, episode: one.episodeOf(subject)};
		const undo = acknowledge(one.context, asked, undefined);
		await soon(() => expect([one.needs(), other.needs()]).toEqual([[], []]));
		undo();
		await soon(() => expect([one.needs(), other.needs()]).toEqual([[key], [key]]));
		snooze(one.context, asked, 'quarter');
		await soon(() => expect([one.needs(), other.needs()]).toEqual([[], []]));
		await one.stop();
		const restarted = await startProgram('restarted');
		await clock.advance(10 * minute);
		expect([restarted.needs(), restarted.calls]).toEqual([[], []]);
		other.calls.length = 0;
		await clock.advance(6 * minute);
		expect([restarted.needs(), other.needs()]).toEqual([[key], [key]]);
		for (const {calls} of [restarted, other])
			expect(calls).toEqual([expect.stringMatching(/ still needs you: /)]);
	});
});

describe('a hook and a message that report the same, with a restart in between', () => {
	const reminder = () => hook('Notification', {notification_type: 'idle_prompt', message: 'Waiting for you'});

	test('call the user once when the hook comes first', async () => {
		const [one, other] = await twoPrograms();
		await other.stop();
		await reminder();
		await soon(() => expect(one.calls).toHaveLength(1));
		await one.stop();
		say('Which one?');
		const restarted = await startProgram('restarted');
		await clock.advance(5 * minute);
		expect([restarted.needs(), restarted.calls]).toEqual([['s'], []]);
	});

	test('call the user once when the message comes first', async () => {
		const [one, other] = await twoPrograms();
		await other.stop();
		say('Which one?');
		await clock.advance(minute);
		expect(one.calls).toHaveLength(1);
		await one.stop();
		const restarted = await startProgram('restarted');
		await clock.advance(second);
		await reminder();
		await clock.advance(5 * minute);
		expect([restarted.needs(), restarted.calls]).toEqual([['s'], []]);
	});
});

describe('a hook and a message that report the same', () => {
	const pairs = [
		{
			name: 'a question',
			byHook: () => hook('Notification', {notification_type: 'elicitation_dialog', message: 'Which one?'}),
			byMessage: () => say('Which one?'),
		},
		{
			name: 'the end of a turn',
			byHook: () => hook('Stop', {}),
			byMessage: () => say('All pass.'),
		},
	];
	test.each(pairs)('$name calls the user once when the hook comes first', async ({byHook, byMessage}) => {
		const [one] = await twoPrograms();
		await byHook();
		byMessage();
		await clock.advance(5 * minute);
		expect(one.calls).toHaveLength(1);
	});

	test.each(pairs)('$name calls the user once when the message comes first', async ({byHook, byMessage}) => {
		const [one] = await twoPrograms();
		byMessage();
		await clock.advance(minute);
		expect(one.calls).toHaveLength(1);
		await byHook();
		await clock.advance(5 * minute);
		expect(one.calls).toHaveLength(1);
	});
});
