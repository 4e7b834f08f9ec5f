import {spawn} from 'node:child_process';
import {once} from 'node:events';
import {join} from 'node:path';
import type {StreamingOptions} from './streamed-message.ts';

export type BenchService = {
	readonly url: string;
	/** Adds one message. */
	add(): Promise<void>;
	/** What was asked of its messages since it was last asked for this: requests, and bytes of the answers' bodies. */
	counts(): Promise<{readonly requests: number; readonly bytes: number}>;
	stop(): Promise<unknown>;
};

/** The service of `streaming-service.ts` in a process of its own, so that it takes no time from what is measured. */
export async function startService(options: Partial<StreamingOptions>): Promise<BenchService> {
	const child = spawn('node', [join(import.meta.dirname, 'streaming-service.ts'), JSON.stringify(options)], {
		stdio: ['ignore', 'pipe', 'inherit'],
	});
	const [line] = await once(child.stdout, 'data');
	const ended = once(child, 'exit');
	const url = String(line).trim();
	return {
		url,
		async add() {
			await fetch(`${url}/add`);
		},
		counts: async () => (await fetch(`${url}/counts`)).json() as ReturnType<BenchService['counts']>,
		stop() {
			child.kill();
			return ended;
		},
	};
}
