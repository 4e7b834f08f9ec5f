import {promises as files} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ActionContext} from './context.ts';
import {programEnvironment} from './program-environment.ts';

/** Input of the user's program: a text, the name of its file, and extra environment variables. */
type Given = {
	readonly text: string;
	readonly name: string;
	readonly env?: Readonly<Record<string, string>>;
};

/**
 * Hands over the terminal to a program that opens a text file, until it exits; then calls `ended` with its
 * exit code (127: not found) and the file's path. The file is in a folder only its owner can read, which is
 * deleted afterwards. Rejects with file system errors.
 */
export async function handOverFile<T>(
	{handOver}: Pick<ActionContext, 'handOver'>,
	program: string,
	{text, name, env}: Given,
	ended: (code: number | undefined, file: string) => T | Promise<T>,
): Promise<T> {
	const folder = await files.mkdtemp(join(tmpdir(), 'quarterdeck-'));
	try {
		const file = join(folder, name);
		await files.writeFile(file, text, {flag: 'wx', mode: 0o600});
		let code: number | undefined;
		await handOver(async () => {
			code = await run(program, file, {...programEnvironment(), ...env});
		});
		return await ended(code, file);
	} finally {
		await files.rm(folder, {recursive: true, force: true});
	}
}

/** Runs the program as git does: as a shell command with arguments. Resolves to its exit code. */
async function run(program: string, file: string, env: NodeJS.ProcessEnv): Promise<number | undefined> {
	const {spawn} = await import('node:child_process');
	return new Promise((resolve, reject) => {
		// Ctrl+C typed in the program also reaches this process, which must ignore it.
		const ignore = () => {};
		const listeners = process.listeners('SIGINT');
		process.removeAllListeners('SIGINT');
		process.on('SIGINT', ignore);
		const settle = (done: () => void) => {
			process.off('SIGINT', ignore);
			for (const listener of listeners) process.on('SIGINT', listener);
			done();
		};
		const child = spawn('/bin/sh', ['-c', `${program} "$@"`, program, file], {stdio: 'inherit', env});
		child.on('error', error => settle(() => reject(error)));
		child.on('exit', code => settle(() => resolve(code ?? undefined)));
	});
}
