import {constants} from 'node:fs';
import {type FileHandle, open, readdir} from 'node:fs/promises';
import {join} from 'node:path';
import {z} from 'zod';
import {readProcStat, readProcVariable} from '../../../hooks/proc-stat.ts';
import {startedByVariable} from '../../../hooks/wire.ts';
import type {ClientProcess} from '../../domain/sessions/signal.ts';

const maxFiles = 200;
const maxSize = 16 * 1024;
/** The first words of a conversation stand near the start of its transcript, bytes. */
const transcriptStart = 64 * 1024;
const maxTitle = 200;

/** What Claude Code keeps of one of its processes, in `sessions/PID.json` of its folder. Times are Unix ms. */
export type ClientFile = {
	readonly process: ClientProcess & {readonly start: string};
	readonly sessionId: string;
	readonly cwd: string;
	readonly status: string;
	/** When the status began. */
	readonly at: number;
	readonly waitingFor?: string;
	/** A title that the user or the client gave it. */
	readonly title?: string;
};

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
 * The files of processes that run, without those of agents that an embedded service started. Files of another shape are
 * skipped, as are links and pipes.
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
		...(waitingFor && {waitingFor}),
		// Other names are made of the folder.
		...(name && nameSource !== 'derived' && {title: name}),
	};
}

/** Whether this very process still runs, as far as the system tells processes apart that reuse a pid. */
export function isRunning({pid, start}: ClientProcess): boolean {
	const stat = readProcStat(pid);
	if (stat) return !stat.isDead && (start === undefined || start === stat.start);
	if (process.platform === 'linux') return false;
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}

/** Where environments can't be read, only a client with a screen of its own is surely not ours. */
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

/** The first line that the user wrote in a conversation; undefined until there is one. */
export async function firstWords(transcript: string): Promise<string | undefined> {
	for (const line of (await readStart(transcript, transcriptStart)).split('\n')) {
		const read = line.includes('"user"') ? userLine.safeParse(parsed(line)) : undefined;
		if (!read?.success || read.data.isMeta || read.data.isSidechain) continue;
		const words = read.data.message.content.trim().split('\n', 1)[0] ?? '';
		// The client writes its own commands and notes in tags.
		if (words !== '' && !words.startsWith('<')) return words.slice(0, maxTitle);
	}
	return undefined;
}

const folderLine = z.object({cwd: z.string().max(4096).startsWith('/')});

/** The folder that a conversation was started in; undefined if its transcript doesn't tell. */
export async function startFolder(transcript: string): Promise<string | undefined> {
	for (const line of (await readStart(transcript, transcriptStart)).split('\n')) {
		const read = line.includes('"cwd"') ? folderLine.safeParse(parsed(line)) : undefined;
		if (read?.success) return read.data.cwd;
	}
	return undefined;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** At most `limit` bytes of a regular file; empty for anything else. Opening a named pipe would wait for its writer. */
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
