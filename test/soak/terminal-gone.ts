import {isAlive} from '../support/is-alive.ts';
import {Failures, lengthOf, type Part} from './part.ts';
import {openScreen, runAll, type ScreenInPty} from './screen-in-pty.ts';

const total = lengthOf('SOAK_GONE_RUNS', 500, 20);
/** The program must have ended by then, ms. */
const limit = 2000;

type Way = {
	readonly name: string;
	readonly script?: string;
	prepare(screen: ScreenInPty, pid: number): Promise<void>;
	take(screen: ScreenInPty, pid: number): void;
};

const ready = (screen: ScreenInPty) => screen.until(() => screen.output().includes('ready'), 'ready');
/** Closes the terminal's end of the pty: its window is gone. */
const close = ({pty}: ScreenInPty) => (pty as unknown as {destroy(): void}).destroy();

const ways: readonly Way[] = [
	{name: 'closed', prepare: ready, take: close},
	{name: 'closed, in a session of its own', script: 'exec setsid -w $SCREEN', prepare: ready, take: close},
	{name: 'closed under a shell', script: '$SCREEN; true', prepare: ready, take: close},
	{
		name: 'the shell is killed',
		script: '$SCREEN; true',
		prepare: ready,
		take: ({pty}) => process.kill(pty.pid, 'SIGKILL'),
	},
	{name: 'SIGHUP', prepare: ready, take: (_, pid) => process.kill(pid, 'SIGHUP')},
	{
		name: 'closed while typing',
		async prepare(screen) {
			await ready(screen);
			screen.pty.write('some words');
		},
		take: close,
	},
	{
		name: 'closed while drawing',
		async prepare(screen) {
			await ready(screen);
			screen.pty.write('f');
			await screen.until(() => screen.output().includes('frame'), 'frame');
		},
		take: close,
	},
	{
		name: 'reads nothing, then closed',
		async prepare(screen) {
			await ready(screen);
			screen.pty.pause();
			screen.pty.write('f');
			await screen.until(() => screen.has('flooding'), 'flooding');
		},
		take: close,
	},
	{
		name: 'closed while stopped',
		script: '$SCREEN; true',
		async prepare(screen, pid) {
			await ready(screen);
			process.kill(pid, 'SIGSTOP');
		},
		take(screen, pid) {
			close(screen);
			process.kill(pid, 'SIGCONT');
		},
	},
];

/** R3: whatever becomes of the terminal, the program saves and ends in time. */
export const terminalGone: Part = {
	name: 'R3',
	title: `terminal gone ${ways.length} ways: saved and ended within ${limit / 1000} s`,
	async run(progress) {
		const failures = {unended: new Failures(), late: new Failures(), unsaved: new Failures()};
		let longest = 0;
		await runAll(
			total,
			async index => {
				const time = await runOnce(ways[index % ways.length] as Way, failures);
				longest = Math.max(longest, time);
			},
			progress,
		);
		return [
			{what: 'runs', value: total.toLocaleString('en')},
			{what: 'longest until it had ended', value: `${longest.toFixed(0)} ms`},
			failures.unended.finding('runs that did not end'),
			failures.late.finding(`ended after more than ${limit / 1000} s`),
			failures.unsaved.finding('ended without saving, or with a crash report'),
		];
	},
};

/** Answers how long it took, ms. */
async function runOnce(
	{name, script = 'exec $SCREEN', prepare, take}: Way,
	failures: Record<'unended' | 'late' | 'unsaved', Failures>,
): Promise<number> {
	const screen = openScreen(script);
	try {
		const pid = await screen.pid();
		await prepare(screen, pid);
		const start = performance.now();
		take(screen, pid);
		await screen.until(() => !isAlive(pid), name);
		const time = performance.now() - start;
		if (time > limit) failures.late.add(`${name}: ${time.toFixed(0)} ms`);
		if (!screen.has('saved') || screen.has('crashes')) failures.unsaved.add(name);
		return time;
	} catch (error) {
		failures.unended.add(`${name}: ${String(error)}`);
		return 0;
	} finally {
		screen.remove();
	}
}
