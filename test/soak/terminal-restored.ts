import {setTimeout as delay} from 'node:timers/promises';
import {isAlive} from '../support/is-alive.ts';
import {Failures, lengthOf, type Part} from './part.ts';
import {openScreen, runAll, type ScreenInPty} from './screen-in-pty.ts';

const total = lengthOf('SOAK_TERMINAL_RUNS', 2000, 60);

type Ending = {
	readonly name: string;
	readonly code: number;
	/** How the shell starts the program. */
	readonly command?: string;
	end(screen: ScreenInPty): Promise<void>;
};

const press = (name: string, key: string, code: number): Ending => ({
	name,
	code,
	async end(screen) {
		await screen.until(() => screen.output().includes('ready'), 'ready');
		screen.pty.write(key);
	},
});

const signalled = (signal: NodeJS.Signals, code: number): Ending => ({
	name: signal,
	code,
	async end(screen) {
		await screen.until(() => screen.output().includes('ready'), 'ready');
		process.kill(await screen.pid(), signal);
	},
});

const startMoments = Array.from(
	{length: 20},
	(_, index): Ending => ({
		name: `SIGTERM ${index * 25} ms after the start`,
		code: 143,
		command: `sh -c 'echo $$ >pid; exec $SCREEN'`,
		async end(screen) {
			const pid = await screen.pid();
			await delay(index * 25);
			process.kill(pid, 'SIGTERM');
		},
	}),
);

const endings: readonly Ending[] = [
	press('quit', 'q', 0),
	signalled('SIGTERM', 143),
	signalled('SIGHUP', 129),
	signalled('SIGINT', 130),
	signalled('SIGQUIT', 131),
	press('an exception', 't', 1),
	press('a rejection', 'r', 1),
	press('a broken frame', 'R', 1),
	{
		name: 'EPIPE',
		code: 129,
		command: '{ $SCREEN; echo $? >code; } | head -c 1 >drawn',
		end: async () => {},
	},
	{
		name: 'stdout closed',
		code: 143,
		command: '$SCREEN >&-',
		end: async screen => {
			process.kill(await screen.pid(), 'SIGTERM');
		},
	},
	{
		...signalled('SIGTERM', 143),
		name: 'SIGTERM, and saving never ends',
		command: '$SCREEN hang',
	},
	{
		name: 'a signal during the exit',
		code: 143,
		command: '$SCREEN signals',
		async end(screen) {
			await screen.until(() => screen.output().includes('ready'), 'ready');
			const pid = await screen.pid();
			process.kill(pid, 'SIGTERM');
			await screen.until(() => screen.has('saving'), 'saving');
			process.kill(pid, 'SIGINT');
		},
	},
	{
		name: 'a signal while a read never ends',
		code: 130,
		command: 'mkfifo pipe; $SCREEN stuck',
		async end(screen) {
			await screen.until(() => screen.output().includes('ready'), 'ready');
			const pid = await screen.pid();
			screen.pty.write('q');
			await screen.until(() => screen.output().includes('\x1b[?1049l'), 'the first screen');
			await screen.until(() => {
				if (isAlive(pid)) process.kill(pid, 'SIGINT');
				return !isAlive(pid);
			}, 'ended');
		},
	},
	{
		...press('out of memory', 'm', 1),
		command: 'NODE_OPTIONS="--max-old-space-size=150 --max-semi-space-size=1" $SCREEN',
	},
	...startMoments,
];

/** R1: however the program ends, the terminal is as it was and the exit code is right. */
export const terminalRestored: Part = {
	name: 'R1',
	title: 'the terminal is given back however the program ends',
	async run(progress) {
		const failures = {
			unended: new Failures(),
			codes: new Failures(),
			settings: new Failures(),
			modes: new Failures(),
		};
		await runAll(total, index => runOnce(endings[index % endings.length] as Ending, failures), progress);
		return [
			{what: 'runs', value: total.toLocaleString('en')},
			{what: 'ways to end', value: String(endings.length)},
			failures.unended.finding('runs that did not end'),
			failures.codes.finding('wrong exit codes'),
			failures.settings.finding('line disciplines that differ'),
			failures.modes.finding('modes that were left on'),
		];
	},
};

async function runOnce(
	{name, code, command = '$SCREEN', end}: Ending,
	failures: Record<'unended' | 'codes' | 'settings' | 'modes', Failures>,
): Promise<void> {
	const screen = openScreen(
		`stty -g >before; ${command}; code=$?; [ -f code ] || echo $code >code; stty -g >after; echo the end; read word`,
	);
	try {
		await end(screen);
		await screen.until(() => screen.output().includes('the end'), 'the end');
		if (screen.read('code') !== String(code)) failures.codes.add(`${name}: ${screen.read('code')}`);
		if (screen.read('before') !== screen.read('after')) failures.settings.add(name);
		const left = modesLeft(screen.output());
		if (left.length > 0) failures.modes.add(`${name}: ${left.join(', ')}`);
	} catch (error) {
		failures.unended.add(`${name}: ${String(error)}`);
	} finally {
		screen.remove();
	}
}

/** Modes that were set and not reset, by their numbers; the cursor's is set by hiding it. */
function modesLeft(output: string): string[] {
	const on = new Set<string>();
	let keyboards = 0;
	for (const [, mode, letter, stack] of output.matchAll(/\x1b\[(?:\?(\d+)([hl])|([<>])\d*u)/g)) {
		if (stack) keyboards += stack === '>' ? 1 : -1;
		else if (mode && (letter === 'h') !== (mode === '25')) on.add(mode);
		else if (mode) on.delete(mode);
	}
	return keyboards === 0 ? [...on] : [...on, `kitty keyboard ${keyboards}`];
}
