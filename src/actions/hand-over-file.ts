import {promises as files} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ActionContext} from './context.ts';
import {programEnvironment} from './program-environment.ts';

/** What a program of the user's gets: a text in a file of that name, and variables besides its usual ones. */
type Given = {
	readonly text: string;
	readonly name: string;
	readonly env?: Readonly<Record<string, string>>;
};

/**
 * Gives the terminal to a program that reads a text, until it ends; `ended` is told its exit code (127: it was not found)
 * and where the file is. The file lies in a folder that only its owner may read, and is gone afterwards. Rejects with what
 * the file system says.
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

/** As git does it: the program is a command with arguments, read by a shell. Answers its exit code. */
async function run(program: string, file: string, env: NodeJS.ProcessEnv): Promise<number | undefined> {
	const {spawn} = await import('node:child_process');
	return new Promise((resolve, reject) => {
		// Ctrl+C typed in the program reaches us as well, and is not meant for us.
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
