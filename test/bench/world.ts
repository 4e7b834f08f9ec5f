import {mkdirSync, mkdtempSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';
import {openDatabase} from '../../src/db/open-database.ts';
import {killProcesses} from '../support/end-processes.ts';
import {agentMessage} from './conversation.ts';
import {streamedMessage} from './streamed-message.ts';

/** A home of its own for one measurement, removed at the end. */
export type World = {readonly env: NodeJS.ProcessEnv; readonly folder: string; remove(): void};

export function emptyWorld(): World {
	const folder = mkdtempSync(join(tmpdir(), 'quarterdeck-bench-'));
	const runtime = join(folder, 'run');
	mkdirSync(runtime, {mode: 0o700});
	const {NODE_EXTRA_CA_CERTS, ...env} = process.env;
	return {
		folder,
		env: {
			...env,
			HOME: folder,
			XDG_CONFIG_HOME: join(folder, 'config'),
			XDG_STATE_HOME: join(folder, 'state'),
			XDG_CACHE_HOME: join(folder, 'cache'),
			XDG_RUNTIME_DIR: runtime,
			TMPDIR: folder,
		},
		remove() {
			killProcesses(folder);
			rmSync(folder, {recursive: true, force: true, maxRetries: 5});
		},
	};
}

/** A session of the streaming service as it was read before: all its messages, and that newer ones come first. */
export function seedStreamed(file: string, {before, startedAt}: {before: number; startedAt: number}): void {
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	const database = openDatabase({file});
	const batch = 5000;
	for (let from = 0; from < before; from += batch) {
		const numbers = Array.from({length: Math.min(batch, before - from)}, (_, index) => from + index);
		const message = (number: number) => streamedMessage(number, {before, startedAt, isBare: false});
		database.messages.put(
			'streamed',
			numbers.map(number => ({message: message(number), role: 'assistant'})),
		);
	}
	database.messages.setListingState('streamed', {pageOrder: 'newest-first', isComplete: true});
	database.close();
}

/**
 * What a busy user has: `sessions` sessions on `computers` computers, and one session of `messages` messages, which
 * was open at the last quit if `isOpen`: a conversation as agents write them.
 */
export function seed(
	file: string,
	{
		sessions,
		computers,
		messages,
		isOpen = false,
	}: Record<'sessions' | 'computers' | 'messages', number> & {isOpen?: boolean},
): void {
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	const database = openDatabase({file});
	const now = Date.now();
	for (let i = 0; i < computers; i++) {
		const id = `computer-${i}`;
		const computer = {
			id,
			name: `build-${i}`,
			status: 'active',
			providerType: 'byom',
			createdAt: now - i * 60_000,
		};
		database.computers.put({id, origin: 'added', addedAt: now - i, computer, fetchedAt: now});
	}
	for (let i = 0; i < sessions; i++) {
		const sessionId = `session-${String(i).padStart(4, '0')}`;
		const session = {
			sessionId,
			title: `bench ${String(i).padStart(4, '0')}`,
			status: 'idle',
			createdAt: now - i * 1000,
			updatedAt: now - i * 1000,
			computerId: `computer-${i % Math.max(1, computers)}`,
		};
		database.sessions.put({
			id: sessionId,
			origin: 'added',
			addedAt: now - i,
			session,
			fetchedAt: now,
			computerId: session.computerId,
		});
	}
	const words = 'the agent edits a file and runs tests before it reports a result to the lead session'.split(
		' ',
	);
	const batch = 5000;
	for (let from = 0; from < messages; from += batch) {
		const part = Array.from({length: Math.min(batch, messages - from)}, (_, k) => {
			const i = from + k;
			const createdAt = now - (messages - i) * 1000;
			if (isOpen) return agentMessage(i, createdAt);
			const text = words.slice(i % 7, (i % 7) + 9).join(' ');
			const role = i % 4 ? ('assistant' as const) : ('user' as const);
			return {
				message: {id: `message-${i}`, content: [{text: `${i} ${text}`}], createdAt},
				role,
			};
		});
		database.messages.put('session-0000', part);
	}
	if (isOpen) database.settings.put('screen.shown', {kind: 'session', id: 'session-0000'});
	database.close();
}
