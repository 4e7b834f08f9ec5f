import {beforeEach, describe, expect, onTestFinished, test} from 'vitest';
import type {Database} from '../../../src/db/database.ts';
import {openDatabase} from '../../../src/db/open-database.ts';
import type {OutboxItem} from '../../../src/domain/messages/delivery.ts';
import type {AttentionMark} from '../../../src/domain/sessions/attention.ts';
import {editorText} from '../../../src/text/editor/editor.ts';
import {createComposerStore} from '../../../src/ui/composer/composers.ts';
import {createDraftSaver} from '../../../src/ui/composer/draft-saver.ts';
import {prepareComposer} from '../../../src/ui/open-session.ts';
import {appParts} from '../../support/app-parts.ts';
import {type EngineBench, engineBench} from '../../support/engine-bench.ts';
import {eventually} from '../../support/eventually.ts';
import {knownComputer, knownSession} from '../../support/fleet.ts';
import {hookEvent} from '../../support/hook-event.ts';

/** The time that may pass between a write of another program and its place in the stores, ms. */
const lessThanASecond = 999;

let bench: EngineBench;
/** Another program on the same file. */
let other: Database;
/** Whether the engine waits for the system to tell of a write; if not, it is about to look. */
let isListening: boolean;

beforeEach(() => {
	bench = engineBench();
	const {clock, database, file} = bench;
	other = openDatabase({file, now: clock.now});
	onTestFinished(async () => {
		other.close();
		await bench.end();
	});
	isListening = false;
	const {onNextWrite} = database;
	Object.assign(database, {
		onNextWrite(onWrite: () => void) {
			isListening = true;
			return onNextWrite(() => {
				isListening = false;
				onWrite();
			});
		},
	});
});

/** Until the engine has just looked for writes of others: the longest time before its next look begins. */
async function untilLooked(): Promise<void> {
	other.settings.put('unread', 'whatever');
	await eventually(() => expect(isListening).toBe(false));
	while (!isListening) await bench.clock.advance(10);
}

/** Less than a second by the engine's clock. The system tells of a write in its own time, in which the clock stands. */
async function pass(): Promise<void> {
	await eventually(() => expect(isListening).toBe(false));
	await bench.clock.advance(lessThanASecond);
}

const session = (id = 's') => bench.stores.fleet.getState().sessions.get(id);
const computer = (id = 'c') => bench.stores.fleet.getState().computers.get(id);
const outbox = () => bench.stores.outbox.getState().bySession.get('s');
const marks = () => [...bench.stores.attention.getState().marks.values()];

function message(more: Partial<OutboxItem>): OutboxItem {
	const times = {createdAt: bench.clock.now(), tries: 0};
	return {
		id: 'row',
		sessionId: 's',
		text: 'theirs',
		images: [],
		files: [],
		state: 'queued',
		...times,
		...more,
	};
}

function mark(kind: AttentionMark['kind'], id = 's'): AttentionMark {
	const at = bench.clock.now();
	const until = kind === 'snoozed' ? {until: at + 3_600_000} : {};
	return {subject: {kind: 'session', id}, episode: 'asks|1|', kind, at, ...until};
}

type Write = {
	/** What is stored when the engine starts, beside the session `s` and the computer `c`. */
	readonly before?: () => void;
	readonly write: () => void;
	readonly look: () => unknown;
	readonly shown: unknown;
};

const ofSession = (more: Parameters<typeof knownSession>[1]) => () =>
	other.sessions.put(knownSession('s', more));
const snapshot = (more: object) =>
	ofSession({session: {sessionId: 's', ...more}, fetchedAt: Date.UTC(2026, 11)});

const writes: Readonly<Record<string, Write>> = {
	'a session': {
		write: () => other.sessions.put(knownSession('theirs')),
		look: () => session('theirs')?.origin,
		shown: 'added',
	},
	'the title of a session': {
		write: snapshot({title: 'migration'}),
		look: () => session()?.session?.title,
		shown: 'migration',
	},
	'the tags of a session': {
		write: snapshot({sessionSettings: {tags: [{name: 'later'}]}}),
		look: () => session()?.session?.sessionSettings,
		shown: {tags: [{name: 'later'}]},
	},
	'the archiving of a session': {
		write: snapshot({sessionSettings: {archivedAt: 'then'}}),
		look: () => session()?.session?.sessionSettings,
		shown: {archivedAt: 'then'},
	},
	'the status of a session': {
		write: ofSession({status: {value: 'running', source: 'posted', at: Date.UTC(2026, 11)}}),
		look: () => session()?.status,
		shown: {value: 'running', source: 'posted'},
	},
	'a name that the user gave a session': {
		write: ofSession({name: 'mine'}),
		look: () => session()?.name,
		shown: 'mine',
	},
	'what another program read of a session': {
		write: ofSession({
			activity: {state: 'asks', evidence: 'question', at: 2, newestId: 'm', changedAt: 2, unread: 1},
		}),
		look: () => session()?.activity,
		shown: {state: 'asks', newestId: 'm', unread: 1},
	},
	'how far the user has read': {
		write: ofSession({seenId: 'm'}),
		look: () => session()?.seenId,
		shown: 'm',
	},
	'a pin': {write: ofSession({pinned: true}), look: () => session()?.pinned, shown: true},
	'a session that was forgotten': {
		write: () => other.sessions.remove('s'),
		look: () => session() === undefined,
		shown: true,
	},
	'a computer': {
		before: () => bench.model.computers.set('theirs', {id: 'theirs', status: 'active', name: 'box'}),
		write: () => other.computers.put({id: 'theirs', origin: 'added', addedAt: 1}),
		look: () => computer('theirs')?.computer?.name,
		shown: 'box',
	},
	'the state of a computer': {
		write: () =>
			other.computers.put({...knownComputer('c', {status: 'error'}), fetchedAt: Date.UTC(2026, 11)}),
		look: () => computer()?.computer?.status,
		shown: 'error',
	},
	'a computer that was forgotten': {
		write: () => other.computers.remove('c'),
		look: () => computer() === undefined,
		shown: true,
	},
	'a message in the outbox': {
		write: () => other.outbox.put(message({})),
		look: outbox,
		shown: [{text: 'theirs', state: 'queued'}],
	},
	'a message that was refused': {
		before: () => other.outbox.put(message({state: 'sending'})),
		write: () => other.outbox.put(message({state: 'failed', problem: 'no'})),
		look: outbox,
		shown: [{state: 'failed', problem: 'no'}],
	},
	'a message that was discarded': {
		before: () => other.outbox.put(message({state: 'failed'})),
		write: () => other.outbox.remove('row'),
		look: () => outbox() === undefined,
		shown: true,
	},
	'a hook event, and that the agent asks': {
		write: () => {
			const data = {session_id: 'outside', notification_type: 'permission_prompt'};
			other.events.add(hookEvent({ts: bench.clock.now(), data}));
		},
		look: () => ({
			events: bench.stores.events.getState().entries.length,
			signal: bench.stores.fleet.getState().signals.get('claude:outside')?.state,
			origin: session('outside')?.origin,
		}),
		shown: {events: 1, signal: 'needs-permission', origin: 'hook'},
	},
	'an acknowledgment': {
		write: () => other.attention.put(mark('acknowledged')),
		look: marks,
		shown: [{kind: 'acknowledged'}],
	},
	'a snooze': {
		write: () => other.attention.put(mark('snoozed')),
		look: marks,
		shown: [{kind: 'snoozed'}],
	},
	'the end of a snooze': {
		before: () => other.attention.put(mark('snoozed')),
		write: () => other.attention.remove({kind: 'session', id: 's'}),
		look: marks,
		shown: [],
	},
};

describe('in less than a second, a running screen has what another program adds, changes or removes:', () => {
	test.each(Object.entries(writes))('%s', async (_, {before, write, look, shown}) => {
		other.sessions.put(knownSession('s'));
		other.computers.put(knownComputer('c'));
		before?.();
		await bench.start();
		onTestFinished(bench.engine.hooks.feed.watch());
		await untilLooked();
		write();
		await pass();
		expect({value: look()}).toMatchObject({value: shown});
	});

	test('a message to an open session, which is then read', async () => {
		const {clock, model} = bench;
		model.add('s', 3);
		await bench.start();
		bench.engine.sessions.open('s');
		// Until it is read so rarely that the read after the message is no accident.
		await clock.advance(3_600_000);
		model.clear();
		await clock.advance(lessThanASecond);
		await untilLooked();
		expect(model.requests).toEqual([]);
		const [messageId = ''] = model.add('s', 1, 'user');
		other.outbox.put(message({state: 'accepted', messageId}));
		await pass();
		const entries = bench.stores.streams.getState().open.get('s')?.entries;
		expect(entries?.at(-1)).toMatchObject({id: messageId});
	});

	test('a draft, in the open composer', async () => {
		const {clock, database} = bench;
		const plain = appParts(clock);
		const actions = {...plain.actions, drafts: database.drafts, history: database.history};
		const composers = createComposerStore();
		const drafts = createDraftSaver(actions, composers);
		const parts = {...plain, actions, composers, drafts};
		prepareComposer(parts, 's');
		await bench.start({onPeerWrites: drafts.refresh});
		await untilLooked();
		other.drafts.put('s', {text: 'typed there', images: [], files: [], updatedAt: clock.now()});
		await pass();
		const composer = composers.getState().bySession.get('s');
		expect(composer && editorText(composer.editor)).toBe('typed there');
	});
});
