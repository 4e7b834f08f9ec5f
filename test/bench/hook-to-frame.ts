import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {resolve} from 'node:path';
import {processTime} from './process-time.ts';
import {startTimed, type TimedProgram} from './pty.ts';
import type {Figure} from './report.ts';
import {inRounds, median, percentile} from './statistics.ts';
import {emptyWorld, type World} from './world.ts';

const dist = resolve(import.meta.dirname, '../../dist');

/** From the start of the hook's process to the frame that shows its event, beside an empty process in the same rounds. */
export async function* measureHookToFrame(): AsyncGenerator<Figure> {
	const world = emptyWorld();
	const program = startTimed('node', [resolve(dist, 'cli.cjs'), '--local'], world.env);
	try {
		await program.shown('active');
		let sessions = 1;
		await eventShown(program, world, sessions);
		const times = await inRounds(40, {
			floor: () => processTime(['-e', '0'], world.env),
			event: () => eventShown(program, world, ++sessions),
		});
		const floor = median(times.floor);
		const over = (name: string, time: number, goal?: number): Figure => ({
			name,
			value: time - floor,
			unit: 'ms',
			detail: `${time.toFixed(1)} ms, less ${floor.toFixed(1)} ms (node -e 0)`,
			...(goal !== undefined && {goal}),
		});
		yield over('hook start to its frame, over an empty process, p50', median(times.event), 30);
		yield over('hook start to its frame, over an empty process, p99', percentile(times.event, 0.99));
	} finally {
		await program.end();
		world.remove();
	}
}

/** A new session asks for something: the header counts one more. */
async function eventShown(program: TimedProgram, world: World, count: number): Promise<number> {
	const event = {
		hook_event_name: 'Notification',
		session_id: `bench-${count}`,
		notification_type: 'permission_prompt',
		cwd: '/bench',
	};
	const start = performance.now();
	const hook = spawn('node', [resolve(dist, 'hook.cjs'), '--client', 'claude'], {
		env: world.env,
		stdio: ['pipe', 'ignore', 'inherit'],
	});
	hook.stdin.end(JSON.stringify(event));
	const ended = once(hook, 'exit');
	const shown = await program.shown(count === 1 ? '1 needs you' : `${count} need you`);
	await ended;
	return shown - start;
}
