import {execFile} from 'node:child_process';
import {readdir} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {readProcVariable} from '../../../hooks/proc-stat.ts';
import type {Signal} from '../../domain/sessions/signal.ts';
import {isRunning} from '../../hook-listeners/client-files.ts';

const timeout = 3000;
const maxOutput = 4 * 1024 * 1024;
/** Tolerance for start times, ms: `ps` counts whole seconds. */
const startTolerance = 2000;
const maxSockets = 40;

/** Where a client runs: its process, terminal device if it has one, and tmux pane if it is in one. */
export type ClientTerminal = {readonly pid: number; readonly tty?: string; readonly pane?: TmuxPane};

/** Ids of tmux, such as `%3`, `@1` and `$0`; `socket` is the path of its server. */
export type TmuxPane = {
	readonly socket: string;
	readonly pane: string;
	readonly window: string;
	readonly session: string;
};

type Process = {
	readonly pid: number;
	readonly parent: number;
	readonly tty: string;
	readonly startedAt: number;
};

/** Finds the terminal of a session's client; undefined if its process has ended or isn't known. `now`: Unix ms. */
export async function findClientTerminal(
	{process, lastEventAt}: Signal,
	now: number,
): Promise<ClientTerminal | undefined> {
	if (!process || !isRunning(process)) return undefined;
	const {pid} = process;
	const all = await listProcesses(now);
	const found = all.get(pid);
	// Another process may have the same pid by now.
	const isOther = process.start === undefined && (found?.startedAt ?? 0) > lastEventAt + startTolerance;
	if (!found || isOther) return undefined;
	const pane = await findPane(pid, all);
	return {pid, tty: /\w/.test(found.tty) ? found.tty : undefined, pane};
}

/** Makes this program's tmux client show the pane; false unless this program is in the same tmux server. */
export async function showPane({socket, pane, window, session}: TmuxPane): Promise<boolean> {
	if (ownSocket() !== socket) return false;
	const go = ['select-window', '-t', `${session}:${window}`, ';', 'select-pane', '-t', pane];
	return (await runProgram('tmux', ['-S', socket, ...go, ';', 'switch-client', '-t', session])) !== undefined;
}

/** The command that shows the pane in a terminal outside its tmux. */
export function attachCommand({socket, pane}: TmuxPane): string {
	const name = dirname(socket) === serverFolder() ? basename(socket) : undefined;
	const quoted = /^[\w./-]+$/.test(socket) ? socket : `'${socket.replaceAll("'", "'\\''")}'`;
	const server = name === 'default' ? '' : name && /^[\w.-]+$/.test(name) ? ` -L ${name}` : ` -S ${quoted}`;
	return `tmux${server} attach -t ${pane}`;
}

async function findPane(pid: number, all: ReadonlyMap<number, Process>): Promise<TmuxPane | undefined> {
	const ancestors = new Set<number>();
	for (let next = all.get(pid); next && !ancestors.has(next.pid); next = all.get(next.parent))
		ancestors.add(next.pid);
	const own = ownSocket();
	const names = (await readdir(serverFolder()).catch((): string[] => [])).slice(0, maxSockets);
	const sockets = [
		socketOf(readProcVariable(pid, 'TMUX')),
		own,
		...names.map(name => join(serverFolder(), name)),
	];
	const panes = await Promise.all([...new Set(sockets)].map(socket => (socket ? listPanes(socket) : [])));
	const found = panes.flat().filter(({root}) => ancestors.has(root));
	// A window may be in several sessions: prefer one that is attached.
	return found.find(({isAttached}) => isAttached) ?? found[0];
}

async function listPanes(socket: string) {
	const format = '#{pane_pid} #{session_attached} #{session_id} #{window_id} #{pane_id}';
	const output = (await runProgram('tmux', ['-S', socket, 'list-panes', '-a', '-F', format])) ?? '';
	return output.split('\n').flatMap(line => {
		const [, root, attached, session, window, pane] = /^(\d+) (\d+) (\$\d+) (@\d+) (%\d+)$/.exec(line) ?? [];
		if (session === undefined || window === undefined || pane === undefined) return [];
		return {root: Number(root), isAttached: attached !== '0', socket, session, window, pane};
	});
}

async function listProcesses(now: number): Promise<ReadonlyMap<number, Process>> {
	const output = (await runProgram('ps', ['-A', '-o', 'pid=,ppid=,tty=,etime='])) ?? '';
	const rows = output.split('\n').flatMap(line => {
		const [pid, parent, tty = '', elapsed = ''] = line.trim().split(/\s+/);
		return pid ? {pid: Number(pid), parent: Number(parent), tty, startedAt: now - milliseconds(elapsed)} : [];
	});
	return new Map(rows.map(row => [row.pid, row]));
}

/** `[[days-]hours:]minutes:seconds` */
function milliseconds(elapsed: string): number {
	const [days, time = ''] = elapsed.includes('-') ? elapsed.split('-') : ['0', elapsed];
	return time.split(':').reduce((sum, part) => sum * 60 + Number(part), 0) * 1000 + Number(days) * 86_400_000;
}

function ownSocket(): string | undefined {
	return socketOf(process.env.TMUX);
}

/** `TMUX` is the path of the socket, the server's pid and the session. */
function socketOf(variable: string | undefined): string | undefined {
	return /^(\/.*),\d+,\d+$/.exec(variable ?? '')?.[1];
}

function serverFolder(): string {
	return join(process.env.TMUX_TMPDIR || '/tmp', `tmux-${process.getuid?.()}`);
}

/** Resolves to the output of a program; undefined if it fails. */
export function runProgram(file: string, args: readonly string[]): Promise<string | undefined> {
	return new Promise(resolve => {
		execFile(file, args, {timeout, maxBuffer: maxOutput}, (error, output) =>
			resolve(error ? undefined : output),
		);
	});
}
