import {spawn} from 'node:child_process';
import {resolve} from 'node:path';

/** Runs test files in vitest with these variables, however long they take. `onSecond` gets the output so far. */
export async function runTests(
	files: readonly string[],
	variables: Readonly<Record<string, string>>,
	onSecond: (seconds: number, output: string) => void,
): Promise<{readonly isPassed: boolean; readonly output: string}> {
	const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--config=test/vitest.config.ts'];
	const test = spawn(
		process.execPath,
		// The default reporter alone: another one ends a file that runs for long.
		[...vitest, '--testTimeout=0', '--reporter=default', ...files],
		{
			cwd: resolve(import.meta.dirname, '../..'),
			env: {...process.env, ...variables},
			stdio: ['ignore', 'pipe', 'pipe'],
		},
	);
	let output = '';
	for (const stream of [test.stdout, test.stderr])
		stream.setEncoding('utf8').on('data', text => (output += text));
	let seconds = 0;
	const ticking = setInterval(() => onSecond(++seconds, output), 1000);
	const code = await new Promise(ended => test.on('close', ended));
	clearInterval(ticking);
	if (code !== 0) process.stderr.write(output);
	return {isPassed: code === 0, output};
}
