import {execFile} from 'node:child_process';
import {pathToFileURL} from 'node:url';
import {promisify} from 'node:util';
import {expect, test} from 'vitest';

const source = pathToFileURL(`${import.meta.dirname}/../../../../src/commands/cli/interrupts.ts`);

/** Runs a command with this code. */
function run(code: string) {
	const program = `
		const {watchInterrupts, watchProcess} = await import('${source}');
		const system = {stdout: process.stdout, watch: watchProcess};
		const interrupts = watchInterrupts(system, bug => console.error('reported: ' + bug.message));
		${code}`;
	return promisify(execFile)(process.execPath, [
		'--input-type=commonjs',
		'--eval',
		`(async () => {${program}})()`,
	]);
}

test('reports an uncaught error even if nothing else is running', async () => {
	await expect(
		run(`setImmediate(() => { throw new Error('broken'); });
		await new Promise(() => {});`),
	).rejects.toMatchObject({code: 1, stderr: 'reported: broken\n'});
});

test('a command that closed after an uncaught error keeps its exit code', async () => {
	await expect(
		run(`setImmediate(() => { throw new Error('broken'); });
		await new Promise(resolve => interrupts.signal.addEventListener('abort', resolve));
		interrupts.stop();
		process.exitCode = 4;`),
	).rejects.toMatchObject({code: 4, stderr: ''});
});

test.each(['SIGINT', 'SIGTERM', 'SIGHUP'])("%s doesn't interrupt a command that is closing", async signal => {
	const closes = run(`const running = setInterval(() => {}, 1000);
		setImmediate(() => process.kill(process.pid, 'SIGINT'));
		await new Promise(resolve => interrupts.signal.addEventListener('abort', resolve));
		const again = new Promise(resolve => process.once('${signal}', resolve));
		process.kill(process.pid, '${signal}');
		await again;
		interrupts.stop();
		clearInterval(running);
		console.log('closed');`);
	await expect(closes).resolves.toMatchObject({stdout: 'closed\n'});
});

test('a later signal ends a command that never closes', async () => {
	const hangs = run(`setInterval(() => process.kill(process.pid, 'SIGINT'), 20);
		await new Promise(() => {});`);
	await expect(hangs).rejects.toMatchObject({code: 130});
});
