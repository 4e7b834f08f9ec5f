import {randomUUID} from 'node:crypto';
import {statSync} from 'node:fs';
import {ifPossible} from '../../domain/if-possible.ts';
import {agentVariable} from '../../domain/sessions/session.ts';
import type {CommandAgent} from '../agents/agents.ts';
import {createBackgroundWork} from '../background-work.ts';
import type {BackgroundContext} from '../context.ts';
import {createOutputWriter} from '../processes/output-writer.ts';
import {type Command, endNote} from '../processes/process-group.ts';
import type {StoredItem, StoredMessage} from '../storage/messages.ts';
import type {StoredSession, StoredWorktree} from '../storage/sessions.ts';
import {type Conversations, stopNote, stoppedByUser} from './conversations.ts';
import {closedCard} from './turn-writer.ts';

/** Runs the agent for user messages: one at a time per session, in order. */
export type Turns = ReturnType<typeof createTurns>;

/** Output limit in bytes after which a program is killed, since no API call can stop one that never ends. */
const maxFloodSize = 256 * 1024 * 1024;
const notRun = '[not run: the service was stopped before its turn; send it again]';

export function createTurns(context: BackgroundContext, conversations: Conversations) {
	const {storage, save, closing} = context;
	const work = createBackgroundWork();
	const running = new Map<string, AbortController>();
	let atWork = 0;

	/** The session, if its messages can be run now. */
	const claim = (sessionId: string): StoredSession | undefined => {
		const session = storage.sessions.get(sessionId);
		if (!session || session.isRunning || closing.aborted) return undefined;
		if (storage.computers.get(session.computerId)?.status === 'provisioning') return undefined;
		storage.sessions.update(sessionId, {isRunning: true});
		atWork++;
		return session;
	};

	/** Takes the next message; undefined if none waits, which ends the session's turn. */
	const takeNext = (sessionId: string): StoredMessage | undefined => {
		const message = storage.messages.nextWaiting(sessionId);
		if (message) {
			storage.messages.setTaken(message.id);
			storage.sessions.update(sessionId, {isCutOff: false, limitedUntil: null});
		} else storage.sessions.release(sessionId);
		return message;
	};

	/** Takes the command that makes a new work tree ready, if it hasn't started yet. */
	const takeSetup = (sessionId: string): string | undefined => {
		const {setup, ...worktree} = storage.sessions.get(sessionId)?.worktree ?? {};
		if (setup !== undefined) storage.sessions.update(sessionId, {worktree: worktree as StoredWorktree});
		return setup;
	};

	/** Claims the session and takes its setup or first message at once, if the disk allows. */
	const runAll = async (sessionId: string) => {
		let session = undefined as StoredSession | undefined;
		try {
			for (;;) {
				const next = await save(() => {
					session ??= claim(sessionId);
					return session && (takeSetup(sessionId) ?? takeNext(sessionId));
				});
				if (!session || next === undefined) return;
				await runOne(session, next);
				if (closing.aborted && closing.reason !== stoppedByUser) return await save(() => cutOff(sessionId));
			}
		} catch (error) {
			if (session) await save(() => storage.sessions.release(sessionId));
			throw error;
		} finally {
			if (session) atWork--;
		}
	};

	/** Runs a message, or the command of a setup. */
	const runOne = async (session: StoredSession, message: StoredMessage | string) => {
		const messageId = typeof message === 'string' ? undefined : message.id;
		if (closing.aborted) return save(() => answer(session.id, messageId, notRun));
		if (!ifPossible(() => statSync(session.cwd).isDirectory()))
			return save(() => answer(session.id, messageId, `[not run: there is no folder ${session.cwd}]`));
		const turn = new AbortController();
		running.set(session.id, turn);
		try {
			const agent = session.agent === undefined ? context.agent : context.findAgent(session.agent);
			if (typeof message === 'string') await runSetup(context, session, message, turn.signal);
			else if (agent.open) await conversations.run(session, message, agent);
			else await runCommand(context, agent, session, message, turn.signal);
		} finally {
			running.delete(session.id);
		}
	};

	/** The next service runs its waiting messages, or offers to continue it if there are none. */
	const cutOff = (sessionId: string) => {
		storage.sessions.release(sessionId);
		storage.sessions.update(sessionId, {isCutOff: true});
	};

	const answer = (sessionId: string, parentId: string | undefined, text: string, isError = true) =>
		storage.transaction(() =>
			storage.messages.add({id: randomUUID(), sessionId, parentId, role: 'assistant', text, isError}),
		);

	return {
		/** Number of sessions whose turn runs. */
		get atWork() {
			return atWork;
		},
		/** Runs a session's waiting messages, unless a turn is running or its computer is being provisioned. */
		wake(sessionId: string): void {
			work.add(runAll(sessionId));
		},
		/** Settles a session whose turn was running when an earlier service ended; its waiting messages run next. */
		recover({id, isRunning}: StoredSession): void {
			if (!isRunning) return;
			for (const message of storage.messages.withOpenRequests(id))
				storage.messages.update(message.id, {content: message.content?.map(withoutOpenRequest)});
			answer(id, storage.messages.lastTaken(id)?.id, '[interrupted: the service was stopped]');
			cutOff(id);
		},
		/**
		 * Sends the agents of all sessions that were cut off a message to go on, or doesn't. Returns their ids; none is cut
		 * off any more.
		 */
		settleCutOff(continues: boolean): readonly string[] {
			const ids = storage.transaction(() => {
				const all = storage.sessions.cutOff();
				for (const id of all) {
					storage.sessions.update(id, {isCutOff: false});
					const message = {id: randomUUID(), sessionId: id, role: 'user', isWaiting: true} as const;
					if (continues) storage.messages.add({...message, text: 'continue'});
				}
				return all;
			});
			if (continues) for (const id of ids) work.add(runAll(id));
			return ids;
		},
		/** Ends a session's running turn; false if this service runs none. The waiting messages are run next. */
		interrupt(sessionId: string): boolean {
			const turn = running.get(sessionId);
			turn?.abort();
			conversations.interrupt(sessionId);
			return turn !== undefined;
		},
		/** Resolves when no turn is running; `closing` has ended their programs. */
		settled: work.settled,
	};
}

function runCommand(
	context: BackgroundContext,
	agent: CommandAgent,
	session: StoredSession,
	message: StoredMessage,
	interrupted: AbortSignal,
): Promise<void> {
	const paths = message.attachments.flatMap(({path}) => path ?? []);
	return streamProgram(context, {
		...agent.command(message),
		cwd: session.cwd,
		env: {
			...session.environment,
			[agentVariable]: agent.usesModel ? session.id : undefined,
			ATTACHMENTS: paths.length > 0 ? paths.join('\n') : undefined,
		},
		target: {sessionId: session.id, parentId: message.id, role: 'assistant', isOutput: !agent.usesModel},
		interrupted,
	});
}

/** Makes a new work tree ready; the output is a message of its session. */
function runSetup(
	context: BackgroundContext,
	{id, cwd, worktree, environment}: StoredSession,
	setup: string,
	interrupted: AbortSignal,
): Promise<void> {
	return streamProgram(context, {
		file: 'sh',
		args: ['-c', setup],
		cwd: worktree?.path ?? cwd,
		env: environment,
		target: {sessionId: id, role: 'tool', isOutput: true, head: `$ ${setup}\n`},
		interrupted,
	});
}

type Program = Command & {
	readonly target: Parameters<typeof createOutputWriter>[1];
	readonly interrupted: AbortSignal;
};

/** Runs a program, whose output becomes messages. */
async function streamProgram(
	context: BackgroundContext,
	{target, interrupted, ...program}: Program,
): Promise<void> {
	const {groups, closing} = context;
	const output = createOutputWriter(context, target);
	let size = 0;
	const flood = new AbortController();
	const ended = await groups.run(
		program,
		(chunk, source) => {
			size += chunk.length;
			if (size > maxFloodSize) flood.abort();
			else output.write(chunk, source);
		},
		{signal: AbortSignal.any([closing, interrupted, flood.signal])},
	);
	const whyEnded = () => {
		if (closing.aborted) return stopNote(closing);
		if (interrupted.aborted) return '[interrupted]';
		return flood.signal.aborted ? '[ended: over 256 MiB of output]' : endNote(program.file, ended);
	};
	const note = whyEnded();
	await output.end(
		note ?? (size > 0 ? undefined : '[no output]'),
		closing.aborted || (note !== undefined && !interrupted.aborted),
	);
}

/** A request whose process is gone can't be answered any more. */
function withoutOpenRequest(item: StoredItem): StoredItem {
	if (item.type !== 'text' || item.request?.state !== 'open') return item;
	return {...item, text: closedCard(item.text), request: {...item.request, state: 'gone'}};
}
