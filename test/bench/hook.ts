import {type ChildProcess, spawn} from 'node:child_process';
import {once} from 'node:events';
import {join, resolve} from 'node:path';
import {installedCommand} from '../support/hook-install.ts';
import {processTime} from './process-time.ts';
import {type Figure, ratio} from './report.ts';
import {inRounds, median} from './statistics.ts';
import {emptyWorld, type World} from './world.ts';

const hook = resolve(import.meta.dirname, '../../dist/hook.cjs');
const event = JSON.stringify({
	hook_event_name: 'Notification',
	session_id: 'bench',
	cwd: '/',
	message: 'needs you',
});

/**
 * Wall time of the hook over an empty Node process: answered by a receiver in another process, spooled, and run by the
 * installed command.
 */
export async function* measureHook(): AsyncGenerator<Figure> {
	const [answered, alone] = [emptyWorld(), emptyWorld()];
	const command = installedCommand(alone.folder, {node: process.execPath, hook});
	const receiver = await startReceiver(answered);
	try {
		const times = await inRounds(60, {
			floor: () => processTime(['-e', '0'], alone.env, event),
			answered: () => processTime([hook, '--client', 'claude'], answered.env, event),
			spooled: () => processTime([hook, '--client', 'claude'], alone.env, event),
			installed: () => processTime(['-c', command], alone.env, event, 'sh'),
		});
		const floor = median(times.floor);
		yield ratio('hook, acknowledged', median(times.answered), floor, 'node -e 0', 1.25);
		yield ratio('hook, spooled', median(times.spooled), floor, 'node -e 0', 1.25);
		yield ratio('hook, as installed', median(times.installed), floor, 'node -e 0', 1.25);
	} finally {
		receiver.kill();
		await once(receiver, 'exit');
		answered.remove();
		alone.remove();
	}
}

async function startReceiver(world: World): Promise<ChildProcess> {
	const child = spawn('node', [join(import.meta.dirname, 'receiver.ts')], {
		env: world.env,
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	await once(child.stdout, 'data');
	return child;
}
