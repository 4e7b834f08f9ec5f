import {join} from 'node:path';
import {expect} from 'vitest';
import {createHttpService} from '../../src/api/http/http-client.ts';
import {Secret} from '../../src/config/secret.ts';
import {openDatabase} from '../../src/db/open-database.ts';
import type {ContentItem, MessageRole} from '../../src/domain/messages/message.ts';
import type {ActivityState} from '../../src/domain/sessions/activity.ts';
import {createStores} from '../../src/state/stores.ts';
import {Engine} from '../../src/sync/engine.ts';
import {fakeClock} from './fake-clock.ts';
import {startFleetService} from './fleet-service.ts';
import {temporaryFolder} from './local-service.ts';
import {withCalls} from './with-calls.ts';

/** What happens in a session, or to the program that watches it. `back` counts messages from the newest. */
export type HistoryStep =
	| {readonly kind: 'add' | 'ask' | 'fail' | 'call' | 'result' | 'remind' | 'read'; readonly session: number}
	| {readonly kind: 'answer' | 'grow'; readonly session: number; readonly isQuestion: boolean}
	| {readonly kind: 'edit'; readonly session: number; readonly back: number; readonly isQuestion: boolean}
	| {readonly kind: 'wait'; readonly ms: number}
	| {readonly kind: 'stop'}
	| {readonly kind: 'check'};

export type HistorySetting = {
	readonly isOldestFirst: boolean;
	/** How far the service's clock is ahead, ms. */
	readonly skew: number;
	/** Messages that each session begins with. */
	readonly lengths: readonly number[];
};

/** What a message means while it is the last that tells something. */
type Turn = 'ask' | 'call' | 'answer' | 'question' | 'fail';

type Entry = {
	readonly id: string;
	turn: Turn | undefined;
	readonly isAnswer: boolean;
	/** Its text, once it was changed. */
	words?: string;
	/** Whether it counts as read, and whether the user has looked at it or written after it. */
	isRead: boolean;
	isSeen: boolean;
};

type ModelSession = {
	readonly id: string;
	readonly first: number;
	readonly entries: Entry[];
	isKnown: boolean;
	/** The agent's newest message and its turn, as the user last saw them; later words in it are new. */
	seen?: {readonly id: string; readonly words: string | undefined};
};

const states: Readonly<Record<Turn, ActivityState>> = {
	ask: 'working',
	call: 'working',
	answer: 'done',
	question: 'asks',
	fail: 'failed',
};
const wordsOf = (isQuestion: boolean) => (isQuestion ? 'Which one do you want?' : 'All of it is done.');

const second = 1_000;
/** Longer than it takes to notice anything in sessions as young as these, ms. */
const quiet = 5 * 60 * second;
/** Messages added to a session at most, and how far back they change: what a read at rest sees again. */
const maxAdded = 9;
const maxBack = 6;

/**
 * Sessions of a service on loopback, watched by a real engine over one database file, which is opened again after
 * each stop. Beside it, what somebody would say of them who sees all that happens.
 */
export async function runHistory(setting: HistorySetting, steps: readonly HistoryStep[]): Promise<void> {
	const {isOldestFirst, skew, lengths} = setting;
	const service = await startFleetService({isOldestFirst});
	const address = {baseUrl: service.url, appUrl: service.url, key: new Secret('k')};
	const client = createHttpService({address, retries: 0});
	let inFlight = 0;
	const counted = withCalls(client, {
		messages: {
			async list(...args) {
				inFlight++;
				try {
					return await client.messages.list(...args);
				} finally {
					inFlight--;
				}
			},
		},
	});
	const clock = fakeClock(undefined, () => inFlight > 0);
	const file = join(temporaryFolder(), 'kept.db');
	let writtenAt = 0;

	const say = (
		session: ModelSession,
		role: MessageRole,
		content: string | readonly ContentItem[],
		turn: Turn | undefined,
	) => {
		if (session.entries.length >= session.first + maxAdded) return;
		const id = `${session.id}-${++writtenAt}`;
		const items = typeof content === 'string' ? [{id: 'text', text: content}] : content;
		writtenAt = Math.max(writtenAt, clock.now() + skew);
		service.sessions.get(session.id)?.messages.push({
			id,
			role,
			content: items,
			createdAt: writtenAt,
			...(turn === 'fail' && {isError: true}),
			...(turn === undefined && {isUserVisible: false}),
		});
		const isOwn = turn === 'ask';
		if (isOwn) for (const entry of session.entries) Object.assign(entry, {isRead: true, isSeen: true});
		session.entries.push({id, turn, isAnswer: role === 'assistant', isRead: isOwn, isSeen: isOwn});
	};

	const sessions = lengths.map((length, index): ModelSession => {
		const session = {id: `s${index}`, first: length, entries: [], isKnown: false};
		service.addSession(session.id);
		for (let count = 0; count < length; count++) {
			if (count % 3 === 0) say(session, 'user', 'Please do it.', 'ask');
			else say(session, 'assistant', wordsOf(count % 2 === 1), count % 2 === 1 ? 'question' : 'answer');
		}
		return session;
	});

	function start() {
		const stores = createStores();
		const database = openDatabase({file, now: clock.now});
		const parts = {service: counted, database, stores, clock, owner: 'test', random: () => 0.5};
		const engine = new Engine({...parts, hooks: 'off', requestsPerSecond: 50});
		stores.connection.setState({skew});
		return {engine, database, stores};
	}

	let running: ReturnType<typeof start> | undefined;
	async function run(): Promise<ReturnType<typeof start>> {
		if (running) return running;
		running = start();
		await running.engine.start();
		return running;
	}
	async function stop(): Promise<void> {
		if (!running) return;
		await running.engine.stop();
		running.database.close();
		running = undefined;
		expect(clock.pending).toBe(0);
	}

	const change = (session: ModelSession, entry: Entry, isQuestion: boolean) => {
		const message = service.sessions.get(session.id)?.messages.find(({id}) => id === entry.id);
		entry.words = `More. ${wordsOf(isQuestion)}`;
		if (message) Object.assign(message, {content: [{id: 'text', text: entry.words}]});
		entry.turn = isQuestion ? 'question' : 'answer';
	};
	/** The agent's newest message, unless the user has written since. */
	const newestAnswer = (entries: readonly Entry[]) => {
		const newest = entries.findLast(({isAnswer, turn}) => isAnswer || turn === 'ask');
		return newest?.isAnswer ? newest : undefined;
	};
	const hasWords = (entry: Entry | undefined): entry is Entry =>
		entry?.turn === 'answer' || entry?.turn === 'question';

	async function check(): Promise<void> {
		const {stores} = await run();
		await clock.advance(quiet);
		for (const {id, entries, isKnown, seen} of sessions) {
			const told = entries.findLast(({turn}) => turn !== undefined);
			if (!isKnown || entries.length === 0) continue;
			const turn = told?.turn ?? 'answer';
			const isOpen = (turn === 'question' || turn === 'fail') && told?.isSeen === false;
			const newest = newestAnswer(entries);
			const hasGrown = newest !== undefined && newest.id === seen?.id && newest.words !== seen.words;
			const answers = entries.filter(({isAnswer, isRead}) => isAnswer && !isRead).length;
			expect(stores.fleet.getState().sessions.get(id)?.activity).toMatchObject({
				newestId: entries.at(-1)?.id,
				state: states[turn],
				unread: Math.max(answers, isOpen || hasGrown ? 1 : 0),
			});
		}
	}

	async function take(step: HistoryStep): Promise<void> {
		if (step.kind === 'wait') return clock.advance(step.ms);
		if (step.kind === 'stop') return stop();
		if (step.kind === 'check') return check();
		const session = sessions[step.session % sessions.length];
		if (!session) return;
		const {entries} = session;
		switch (step.kind) {
			case 'add': {
				if (session.isKnown) return;
				const {engine} = await run();
				engine.registry.addSession(session.id, 'added');
				session.isKnown = true;
				await clock.advance(10 * second);
				for (const entry of entries) entry.isRead = true;
				return;
			}
			case 'ask':
				return say(session, 'user', 'Go on, please.', 'ask');
			case 'fail':
				return say(session, 'assistant', 'The model is overloaded.', 'fail');
			case 'remind':
				return say(session, 'user', 'A file has changed. Is it yours?', undefined);
			case 'answer':
				return say(session, 'assistant', wordsOf(step.isQuestion), step.isQuestion ? 'question' : 'answer');
			case 'call':
				return say(session, 'assistant', [{id: 't', type: 'tool_use', name: 'Bash', input: {}}], 'call');
			case 'result':
				if (entries.at(-1)?.turn !== 'call') return;
				return say(session, 'tool', [{type: 'tool_result', tool_use_id: 't', content: 'ok'}], 'call');
			case 'grow': {
				const newest = entries.at(-1);
				if (hasWords(newest)) change(session, newest, step.isQuestion);
				return;
			}
			case 'edit': {
				const entry = entries.at(-2 - (step.back % maxBack));
				if (hasWords(entry)) change(session, entry, step.isQuestion);
				return;
			}
			case 'read': {
				if (!session.isKnown || entries.length === 0) return;
				const {engine} = await run();
				const close = engine.sessions.open(session.id);
				await clock.advance(5 * second);
				engine.sessions.activity.markSeen(session.id);
				close();
				for (const entry of entries) Object.assign(entry, {isRead: true, isSeen: true});
				const newest = newestAnswer(entries);
				if (newest) session.seen = {id: newest.id, words: newest.words};
				else delete session.seen;
			}
		}
	}

	try {
		for (const step of steps) await take(step);
		await check();
	} finally {
		await stop();
		await client.close();
		service.close();
	}
}
