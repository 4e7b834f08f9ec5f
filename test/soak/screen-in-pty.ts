import {existsSync, mkdtempSync, readFileSync, rmSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join, resolve} from 'node:path';
import {setTimeout as delay} from 'node:timers/promises';
import {type IPty, spawn} from '@lydell/node-pty';
import {isAlive} from '../support/is-alive.ts';

const fixture = resolve(import.meta.dirname, '../e2e/fixtures/screen.ts');
/** The longest that anything may take, ms: then the run has failed. */
const patience = 30_000;

/** The small program on the terminal layer, in a pty and a folder of its own. */
export type ScreenInPty = {
	readonly pty: IPty;
	readonly folder: string;
	output(): string;
	has(name: string): boolean;
	read(name: string): string;
	/** Rejects when it takes longer than `patience`. */
	until(isTrue: () => boolean, what: string): Promise<void>;
	pid(): Promise<number>;
	remove(): void;
};

/** Runs a script of sh in which `$SCREEN` is the program; what it leaves behind goes to the working folder. */
export function openScreen(script: string): ScreenInPty {
	const folder = mkdtempSync(join(tmpdir(), 'soak-screen-'));
	const pty = spawn('/bin/sh', ['-c', script], {
		name: 'xterm-256color',
		cols: 80,
		rows: 24,
		cwd: folder,
		env: {...process.env, TERM: 'xterm-256color', SCREEN: `${process.execPath} ${fixture} .`},
	});
	let output = '';
	pty.onData(data => {
		output += data;
	});
	const has = (name: string) => existsSync(join(folder, name));
	const read = (name: string) => readFileSync(join(folder, name), 'utf8').trim();
	async function until(isTrue: () => boolean, what: string): Promise<void> {
		const end = performance.now() + patience;
		while (!isTrue()) {
			if (performance.now() > end) throw new Error(`${what}: not within ${patience} ms`);
			await delay(5);
		}
	}
	return {
		pty,
		folder,
		output: () => output,
		has,
		read,
		until,
		async pid() {
			await until(() => has('pid') && read('pid') !== '', 'started');
			return Number(read('pid'));
		},
		remove() {
			if (has('pid')) {
				const pid = Number(read('pid'));
				if (isAlive(pid)) process.kill(pid, 'SIGKILL');
			}
			if (isAlive(pty.pid)) process.kill(pty.pid, 'SIGKILL');
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

/** Works through all runs, two at a time: as many as the machine has cores for. */
export async function runAll(
	count: number,
	run: (index: number) => Promise<void>,
	progress: (done: number, total: number) => void,
): Promise<void> {
	let next = 0;
	let done = 0;
	const worker = async () => {
		while (next < count) {
			await run(next++);
			progress(++done, count);
		}
	};
	await Promise.all([worker(), worker()]);
}
