import {constants} from 'node:fs';
import {type FileHandle, open, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {readProcStat, readProcVariable} from '../../hooks/proc-stat.ts';
import {startedByVariable} from '../../hooks/wire.ts';
import {ifPossible} from '../domain/if-possible.ts';
import type {HookRequest} from '../domain/sessions/hook-request.ts';
import type {ClientProcess} from '../domain/sessions/signal.ts';

const maxFiles = 200;
const maxSize = 16 * 1024;
/** Bytes at the start of a transcript that are searched for the first prompt. */
const transcriptStart = 64 * 1024;
const maxTitle = 200;

/** Claude Code's file about one of its processes: `sessions/PID.json` in its folder. Times are Unix ms. */
export type ClientFile = {
	readonly process: ClientProcess & {readonly start: string};
	readonly sessionId: string;
	readonly cwd: string;
	readonly status: string;
	/** When the status began. */
	readonly at: number;
	readonly waitingFor?: string;
	/** The session's title, from the user or the client. */
	readonly title?: string;
};

/** How long a status must last before it is reported, ms: a hook would have reported it by then, with more detail. */
const settleTimes = new Map([
	['busy', 300],
	['waiting', 500],
	['idle', 700],
]);

/** Ms until a status can be reported. */
export function settlesIn({status, at}: ClientFile, now: number): number {
	return at + (settleTimes.get(status) ?? 0) - now;
}

/** Whether the user has answered a request in its client, by the client's file about the session. */
export function isAnswered({createdAt}: HookRequest, file: ClientFile, now: number): boolean {
	return file.status !== 'waiting' && file.at > createdAt && settlesIn(file, now) <= 0;
}

const optional = (max: number) => z.string().max(max).optional().catch(undefined);

const clientFile = z.object({
	pid: z.int().positive(),
	sessionId: z.string().regex(/^[\w-]{1,128}$/),
	cwd: z.string().max(4096).startsWith('/'),
	startedAt: z.number(),
	procStart: optional(64),
	entrypoint: optional(64),
	status: optional(32),
	statusUpdatedAt: z.number().optional().catch(undefined),
	waitingFor: optional(maxTitle),
	name: optional(maxTitle),
	nameSource: optional(64),
});

/**
 * Reads the files of running processes, without those of agents that an embedded service started. Skips files of
 * another shape, links and pipes.
 */
export async function readClientFiles(folder: string): Promise<readonly ClientFile[]> {
	const names = await readdir(folder).catch((): string[] => []);
	const paths = names.filter(name => /^\d{1,10}\.json$/.test(name)).slice(0, maxFiles);
	const files = await Promise.all(
		paths.map(async name => {
			const file = toClientFile(await readStart(join(folder, name), maxSize + 1));
			return file?.process.pid === Number.parseInt(name, 10) ? file : undefined;
		}),
	);
	return files.filter(file => file !== undefined);
}

function toClientFile(text: string): ClientFile | undefined {
	if (text.length > maxSize) return undefined;
	const read = clientFile.safeParse(parsed(text));
	if (!read.success) return undefined;
	const {pid, sessionId, cwd, startedAt, procStart, entrypoint = '', ...more} = read.data;
	const process = {pid, start: procStart ?? `${startedAt}`};
	if (!isRunning(process) || isStartedByUs(pid, entrypoint)) return undefined;
	const {status = '', statusUpdatedAt: at = startedAt, waitingFor, name, nameSource} = more;
	return {
		process,
		sessionId,
		cwd,
		status,
		at,
		waitingFor: waitingFor || undefined,
		// A derived name is only the folder's.
		title: nameSource === 'derived' ? undefined : name || undefined,
	};
}

/** Whether this process still runs. On Linux, its start time tells it from another one with the same pid. */
export function isRunning({pid, start}: ClientProcess): boolean {
	const stat = readProcStat(pid);
	if (stat) return !stat.isDead && (start === undefined || start === stat.start);
	if (process.platform === 'linux') return false;
	return ifPossible(() => process.kill(pid, 0)) ?? false;
}

/** Only Linux lets us read the environment. Elsewhere, any client without a screen of its own may be ours. */
function isStartedByUs(pid: number, entrypoint: string): boolean {
	if (process.platform !== 'linux') return entrypoint !== 'cli';
	return readProcVariable(pid, startedByVariable) !== undefined;
}

const userLine = z.object({
	type: z.literal('user'),
	isMeta: z.boolean().optional(),
	isSidechain: z.boolean().optional(),
	message: z.object({
		content: z.union([
			z.string(),
			z.array(z.object({text: z.string().catch('')})).transform(parts => parts[0]?.text ?? ''),
		]),
	}),
});

/** Reads the first line that the user wrote in a conversation; undefined until there is one. */
export async function firstWords(transcript: string): Promise<string | undefined> {
	for (const line of (await readStart(transcript, transcriptStart)).split('\n')) {
		const read = line.includes('"user"') ? userLine.safeParse(parsed(line)) : undefined;
		if (!read?.success || read.data.isMeta || read.data.isSidechain) continue;
		const words = read.data.message.content.trim().split('\n', 1)[0] ?? '';
		// Commands and notes of the client are in tags.
		if (words !== '' && !words.startsWith('<')) return words.slice(0, maxTitle);
	}
	return undefined;
}

const folderLine = z.object({cwd: z.string().max(4096).startsWith('/')});

/** Reads the folder that a conversation was started in; undefined if its transcript doesn't say. */
export async function startFolder(transcript: string): Promise<string | undefined> {
	for (const line of (await readStart(transcript, transcriptStart)).split('\n')) {
		const read = line.includes('"cwd"') ? folderLine.safeParse(parsed(line)) : undefined;
		if (read?.success) return read.data.cwd;
	}
	return undefined;
}

function parsed(text: string): unknown {
	return ifPossible(() => JSON.parse(text));
}

/** Reads at most `limit` bytes of a regular file; empty for anything else. Never waits for the writer of a pipe. */
async function readStart(path: string, limit: number): Promise<string> {
	let file: FileHandle | undefined;
	try {
		file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
		if (!(await file.stat()).isFile()) return '';
		const {buffer, bytesRead} = await file.read(Buffer.alloc(limit), 0, limit, 0);
		return buffer.toString('utf8', 0, bytesRead);
	} catch {
		return '';
	} finally {
		await file?.close();
	}
}
