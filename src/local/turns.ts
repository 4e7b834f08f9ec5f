import {randomUUID} from 'node:crypto';
import {statSync} from 'node:fs';
import {createBackgroundWork} from './background-work.ts';
import {childEnvironment} from './child-environment.ts';
import type {BackgroundContext} from './context.ts';
import {endNote} from './end-note.ts';
import {measureWork, noteWork} from './measure-work.ts';
import {createOutputWriter} from './output-writer.ts';
import type {StoredMessage} from './storage/messages.ts';
import type {StoredSession} from './storage/sessions.ts';

/** Runs the agent for user messages: one at a time per session, in order. */
export type Turns = {
	/** Runs a session's waiting messages, unless a turn is running or its computer is being provisioned. */
	wake(sessionId: string): void;
	/**
	 * Settles a session whose instance is gone; returns whether it was one. Its waiting messages may be days
	 * old, so they are not run.
	 */
	recover(session: StoredSession): boolean;
	/** Number of sessions with a running turn. */
	readonly atWork: number;
	/** Resolves when no turn is running; `closing` has ended their programs. */
	settled(): Promise<void>;
};

/** Output limit in bytes after which a program is killed, since no API call can stop one that never ends. */
const maxFloodSize = 256 * 1024 * 1024;
const notRun = '[not run: the service was stopped before its turn; send it again]';

export function createTurns(backgroundContext: BackgroundContext): Turns {
	const {storage, instance, closing} = backgroundContext;
	const work = createBackgroundWork();
	let atWork = 0;

	const runAll = async (session: StoredSession) => {
		atWork++;
		try {
			for (;;) {
				const message = storage.messages.nextWaiting(session.id);
				if (message) await runOne(session, message);
				else if (storage.sessions.releaseIfSettled(session.id, instance.id, Date.now())) return;
			}
		} catch (error) {
			storage.sessions.release(session.id, instance.id, Date.now());
			throw error;
		} finally {
			atWork--;
		}
	};

	const runOne = async (session: StoredSession, message: StoredMessage) => {
		storage.messages.setTaken(message.id);
		if (closing.aborted) return answer(session.id, message.id, notRun);
		if (!isFolder(session.cwd))
			return answer(session.id, message.id, `[not run: ${session.cwd} is no longer a folder]`);
		const start = await noteWork(backgroundContext, session.cwd);
		await runAgent(backgroundContext, session, message);
		if (start) work.add(measureWork(backgroundContext, start));
	};

	const answer = (sessionId: string, parentId: string | undefined, text: string) =>
		storage.transaction(() =>
			storage.messages.add({id: randomUUID(), sessionId, parentId, role: 'assistant', text, isError: true}),
		);

	return {
		get atWork() {
			return atWork;
		},
		wake(sessionId) {
			const session = storage.sessions.get(sessionId);
			if (!session || closing.aborted) return;
			if (storage.computers.get(session.computerId)?.status === 'provisioning') return;
			if (storage.sessions.claim(sessionId, instance.id)) work.add(runAll(session));
		},
		recover({id, runner}) {
			if (runner === undefined || instance.isAlive(runner)) return false;
			if (!storage.sessions.takeOver(id, runner, instance.id)) return true;
			answer(id, storage.messages.lastTaken(id)?.id, '[interrupted: the service was stopped]');
			for (;;) {
				const message = storage.messages.nextWaiting(id);
				if (!message) break;
				storage.messages.setTaken(message.id);
				answer(id, message.id, notRun);
			}
			storage.sessions.release(id, instance.id, Date.now());
			return true;
		},
		settled: work.settled,
	};
}

async function runAgent(
	backgroundContext: BackgroundContext,
	session: StoredSession,
	message: StoredMessage,
): Promise<void> {
	const {storage, agent, groups, closing} = backgroundContext;
	const paths = message.attachments.flatMap(({path}) => path ?? []);
	const command = agent.command({
		text: message.text,
		attachments: message.attachments,
		sessionId: session.id,
		model: storage.sessions.get(session.id)?.settings.model,
		isFirst: storage.messages.goodAnswers(session.id) === 0,
	});
	storage.usage.addCommand({
		at: Date.now(),
		tool: agent.tool,
		sessionId: session.id,
		messageId: message.id,
		usesModel: agent.usesModel,
	});
	const output = createOutputWriter(storage, {
		sessionId: session.id,
		parentId: message.id,
		role: 'assistant',
	});
	let size = 0;
	const flood = new AbortController();
	const ended = await groups.run(
		{
			...command,
			cwd: session.cwd,
			env: childEnvironment(paths.length > 0 ? {ATTACHMENTS: paths.join('\n')} : {}),
		},
		(chunk, source) => {
			size += chunk.length;
			if (size > maxFloodSize) flood.abort();
			else output.write(chunk, source);
		},
		{signal: AbortSignal.any([closing, flood.signal])},
	);
	const whyEnded = () => {
		if (closing.aborted) return '[interrupted: the service was stopped]';
		return flood.signal.aborted ? '[ended: over 256 MiB of output]' : endNote(command.file, ended);
	};
	const note = whyEnded();
	output.end(note ?? (size > 0 ? undefined : '[no output]'), note !== undefined);
}

function isFolder(path: string): boolean {
	try {
		return statSync(path).isDirectory();
	} catch {
		return false;
	}
}
