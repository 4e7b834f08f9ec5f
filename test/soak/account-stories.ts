import {spawn} from 'node:child_process';
import {resolve} from 'node:path';
import type {Part} from './part.ts';

const minutes = Number(process.env.SOAK_ACCOUNT_MINUTES ?? 60);
const root = resolve(import.meta.dirname, '../..');

/** A1: the stories of the test `account-stories`, for as long as it is asked. Takes the build in `dist`. */
export const accountStories: Part = {
	name: 'A1',
	title: 'two services, three keys, one state folder: nothing crosses, nothing is lost',
	async run(progress) {
		const test = spawn(
			process.execPath,
			[
				'node_modules/vitest/vitest.mjs',
				'run',
				'--config=test/vitest.config.ts',
				// Without the one that ends a file which runs for long.
				'--reporter=default',
				'test/e2e/account-stories.test.ts',
			],
			{
				cwd: root,
				env: {...process.env, SOAK_ACCOUNT_MINUTES: String(minutes)},
				stdio: ['ignore', 'pipe', 'pipe'],
			},
		);
		let said = '';
		for (const stream of [test.stdout, test.stderr])
			stream.setEncoding('utf8').on('data', text => (said += text));
		const start = performance.now();
		const ticking = setInterval(() => progress((performance.now() - start) / 60_000, minutes), 1000);
		const code = await new Promise(ended => test.on('close', ended));
		clearInterval(ticking);
		const counts: Record<string, number> = JSON.parse(/^counts (.*)$/m.exec(said)?.[1] ?? '{}');
		if (code !== 0) process.stderr.write(said);
		return [
			...Object.entries(counts).map(([what, count]) => ({what, value: String(count)})),
			{
				what: 'stories in which something crossed or was lost',
				value: code === 0 ? '0' : '1',
				goal: '0',
				isMet: code === 0,
			},
		];
	},
};
