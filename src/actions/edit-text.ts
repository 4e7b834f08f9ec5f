import {promises as files} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import type {ActionContext} from './context.ts';
import {programEnvironment} from './program-environment.ts';
import {tell} from './tell.ts';

/**
 * Opens a text in `$VISUAL` or `$EDITOR` (else vi), which has the terminal meanwhile. Answers what was saved; undefined
 * when it didn't end well, and then nothing has changed. The text lies in a file of a folder that only its owner may
 * read, and is gone afterwards.
 */
export async function editText(context: ActionContext, text: string): Promise<string | undefined> {
	const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
	try {
		const folder = await files.mkdtemp(join(tmpdir(), 'quarterdeck-'));
		try {
			const file = join(folder, 'message.md');
			await files.writeFile(file, text, {flag: 'wx', mode: 0o600});
			let code: number | undefined;
			await context.handOver(async () => {
				code = await run(editor, file);
			});
			if (code === 0) return restored(text, await files.readFile(file, 'utf8'));
			const why = code === 127 ? 'was not found: set EDITOR to one that is there' : 'did not end well';
			tell(context, 'bad', `The editor "${editor}" ${why}. Your text is as it was`);
		} finally {
			await files.rm(folder, {recursive: true, force: true});
		}
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		tell(context, 'bad', `The text could not be given to an editor: ${why}. It is as it was`);
	}
	return undefined;
}

/** As git does it: the variable is a command with arguments, read by a shell. Answers its exit code. */
async function run(editor: string, file: string): Promise<number | undefined> {
	const {spawn} = await import('node:child_process');
	return new Promise((resolve, reject) => {
		// Ctrl+C typed in the editor reaches us as well, and is not meant for us.
		const ignore = () => {};
		const listeners = process.listeners('SIGINT');
		process.removeAllListeners('SIGINT');
		process.on('SIGINT', ignore);
		const settle = (done: () => void) => {
			process.off('SIGINT', ignore);
			for (const listener of listeners) process.on('SIGINT', listener);
			done();
		};
		const child = spawn('/bin/sh', ['-c', `${editor} "$@"`, editor, file], {
			stdio: 'inherit',
			env: programEnvironment(),
		});
		child.on('error', error => settle(() => reject(error)));
		child.on('exit', code => settle(() => resolve(code ?? undefined)));
	});
}

/** Editors end the last line of a file: that line feed is theirs, unless there was one before. */
function restored(before: string, after: string): string {
	return after.endsWith('\n') && !before.endsWith('\n') ? after.slice(0, -1) : after;
}
