import {readdirSync, readFileSync} from 'node:fs';
import {spawn} from '@lydell/node-pty';
import xterm from '@xterm/headless';
import {terminalEnvironment} from '../support/terminal.ts';

/** A program in a pty, with the arrival time of everything it writes. Times are ms of `performance.now()`. */
export type TimedProgram = {
	readonly pid: number;
	readonly startedAt: number;
	/** Arrival of the output after which the screen showed `what`; rejects when it doesn't come `within` so many ms. */
	shown(what: Shows, within?: number): Promise<number>;
	/** Arrival of the next output. */
	wrote(): Promise<number>;
	send(bytes: string): number;
	/** Bytes that arrived in the time between. */
	bytesBetween(from: number, to: number): number;
	screen(): string;
	resize(columns: number, rows: number): number;
	end(): Promise<void>;
};

/** Words on the screen, or anything that rows joined by line feeds tell. */
type Shows = string | ((screen: string) => boolean);

const patience = 30_000;

export function startTimed(
	command: string,
	args: string[],
	env: NodeJS.ProcessEnv,
	columns = 120,
	rows = 40,
): TimedProgram {
	const model = new xterm.Terminal({cols: columns, rows, allowProposedApi: true, scrollback: 0});
	const chunks: {at: number; data: string}[] = [];
	let fed = 0;
	let isFeeding = false;
	let hasEnded = false;
	let written = Promise.withResolvers<number>();
	const holds = (what: Shows) => (typeof what === 'string' ? screen().includes(what) : what(screen()));
	let waiting: {what: Shows; resolve(at: number): void; reject(error: Error): void} | undefined;
	const startedAt = performance.now();
	const pty = spawn(command, args, {
		name: 'xterm-256color',
		cols: columns,
		rows,
		env: terminalEnvironment(env) as Record<string, string>,
	});
	const ended = new Promise<void>(resolve => {
		pty.onExit(() => {
			hasEnded = true;
			waiting?.reject(new Error(`the program ended before it showed ${waiting.what}:\n${screen()}`));
			resolve();
		});
	});
	const screen = () => {
		const buffer = model.buffer.active;
		return Array.from(
			{length: model.rows},
			// The model keeps the cells right of a screen that became narrower.
			(_, y) => buffer.getLine(y + buffer.viewportY)?.translateToString(true, 0, model.cols) ?? '',
		).join('\n');
	};
	// One chunk at a time, so that the chunk that made something visible is known.
	const feed = () => {
		const chunk = chunks[fed];
		if (isFeeding || !chunk) return;
		isFeeding = true;
		fed++;
		model.write(chunk.data, () => {
			isFeeding = false;
			if (waiting && holds(waiting.what)) {
				waiting.resolve(chunk.at);
				waiting = undefined;
			}
			feed();
		});
	};
	pty.onData(data => {
		const at = performance.now();
		chunks.push({at, data});
		written.resolve(at);
		written = Promise.withResolvers<number>();
		feed();
	});
	model.onData(reply => {
		if (!hasEnded) pty.write(reply);
	});
	return {
		pid: pty.pid,
		startedAt,
		shown: (what, within = patience) =>
			new Promise((resolve, reject) => {
				if (holds(what)) {
					resolve(chunks[fed - 1]?.at ?? startedAt);
					return;
				}
				const timer = setTimeout(() => reject(new Error(`never showed ${what}:\n${screen()}`)), within);
				const settle =
					<T>(then: (value: T) => void) =>
					(value: T) => {
						clearTimeout(timer);
						then(value);
					};
				waiting = {what, resolve: settle(resolve), reject: settle(reject)};
			}),
		wrote: () => written.promise,
		send(bytes) {
			const at = performance.now();
			pty.write(bytes);
			return at;
		},
		bytesBetween: (from, to) =>
			chunks
				.filter(({at}) => at >= from && at <= to)
				.reduce((sum, {data}) => sum + Buffer.byteLength(data), 0),
		screen,
		resize(columns, rows) {
			const at = performance.now();
			model.resize(columns, rows);
			pty.resize(columns, rows);
			return at;
		},
		async end() {
			if (!hasEnded) pty.kill('SIGTERM');
			const timer = setTimeout(() => pty.kill('SIGKILL'), 3000);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** Processor time (ns) and voluntary switches of a process and its threads, and its resident memory (kB), from /proc. */
export function usageOf(pid: number): {cpu: number; switches: number; resident: number} {
	let cpu = 0;
	let switches = 0;
	for (const task of readdirSync(`/proc/${pid}/task`)) {
		cpu += Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, 'utf8').split(' ')[0]);
		switches += Number(
			/^voluntary_ctxt_switches:\s+(\d+)/m.exec(
				readFileSync(`/proc/${pid}/task/${task}/status`, 'utf8'),
			)?.[1],
		);
	}
	const resident = Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
	return {cpu, switches, resident};
}
