import {execFile} from 'node:child_process';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

const source = pathToFileURL(`${import.meta.dirname}/../../../../src/commands/cli/interrupts.ts`);

/** Runs a command that waits for what never happens, with this code. */
function run(code: string) {
	const program = `
		const {watchInterrupts} = await import('${source}');
		const interrupts = watchInterrupts(bug => console.error('reported: ' + bug.message));
		${code}`;
	return promisify(execFile)(process.execPath, [
		'--input-type=commonjs',
		'--eval',
		`(async () => {${program}})()`,
	]);
}

test('an error that nobody catches is reported although nothing is left that runs', async () => {
	await expect(
		run(`setImmediate(() => { throw new Error('broken'); });
		await new Promise(() => {});`),
	).rejects.toMatchObject({code: 1, stderr: 'reported: broken\n'});
});

test('a command that has closed after such an error keeps its exit code', async () => {
	await expect(
		run(`setImmediate(() => { throw new Error('broken'); });
		await new Promise(resolve => interrupts.signal.addEventListener('abort', resolve));
		interrupts.stop();
		process.exitCode = 4;`),
	).rejects.toMatchObject({code: 4, stderr: ''});
});
