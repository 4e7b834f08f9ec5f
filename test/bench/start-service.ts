import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';

/** The service of `streaming-service.ts` in a process of its own, so that it takes no time from what is measured. */
export async function startService(
	perSecond: number,
): Promise<{readonly url: string; stop(): Promise<unknown>}> {
	const child = spawn('node', [join(import.meta.dirname, 'streaming-service.ts'), String(perSecond)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	const ended = once(child, 'exit');
	return {
		url: String(line).trim(),
		stop() {
			child.kill();
			return ended;
		},
	};
}
