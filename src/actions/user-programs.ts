import {promises as files} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {maskText} from '../domain/masking.ts';
import {cleanLine} from '../text/cells/clean.ts';
import type {Safe} from '../text/cells/safe.ts';
import {openableLink} from '../text/messages/message-links.ts';
import type {ActionContext} from './context.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

/** Input of the user's program: a text, the name of its file, and extra environment variables. */
type Input = {
	readonly text: string;
	readonly name: string;
	readonly env?: Readonly<Record<string, string>>;
};

/**
 * Hands over the terminal to a program that opens a text file, until it exits; then calls `ended` with its
 * exit code (127: not found) and the file's path. The file is in a folder only its owner can read, which is
 * deleted afterwards. Rejects with file system errors.
 */
async function handOverFile<T>(
	{handOver}: ActionContext,
	program: string,
	{text, name, env}: Input,
	ended: (code: number | undefined, file: string) => T | Promise<T>,
): Promise<T> {
	const folder = await files.mkdtemp(join(tmpdir(), 'quarterdeck-'));
	try {
		const file = join(folder, name);
		await files.writeFile(file, text, {flag: 'wx', mode: 0o600});
		let code: number | undefined;
		await handOver(async () => {
			// As git does: as a shell command with arguments.
			const args = ['-c', `${program} "$@"`, program, file];
			code = await runInTerminal('/bin/sh', args, {...programEnvironment(), ...env});
		});
		return await ended(code, file);
	} finally {
		await files.rm(folder, {recursive: true, force: true});
	}
}

/** Runs a program at the terminal, which must have been handed over. Resolves to its exit code. */
export async function runInTerminal(
	program: string,
	args: readonly string[],
	env: NodeJS.ProcessEnv,
): Promise<number | undefined> {
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
		const child = spawn(program, [...args], {stdio: 'inherit', env});
		child.on('error', error => settle(() => reject(error)));
		child.on('exit', code => settle(() => resolve(code ?? undefined)));
	});
}

/**
 * Opens text in `$VISUAL` or `$EDITOR` (default vi), handing over the terminal. Resolves to the saved text,
 * or undefined if the editor failed; the text is unchanged then.
 */
export async function editText(context: ActionContext, text: string): Promise<string | undefined> {
	const editor = process.env.VISUAL || process.env.EDITOR || 'vi';
	try {
		return await handOverFile(context, editor, {text, name: 'message.md'}, async (code, file) => {
			if (code === 0) return restored(text, await files.readFile(file, 'utf8'));
			const {notFound, failed} = strings.editor;
			notify(context, 'bad', (code === 127 ? notFound : failed)(editor));
			return undefined;
		});
	} catch (error) {
		notify(context, 'bad', `The editor could not be opened: ${reasonOf(error)}. Your text is unchanged`);
		return undefined;
	}
}

/** Removes the final line feed that editors add, unless the text already had one. */
function restored(before: string, after: string): string {
	return after.endsWith('\n') && !before.endsWith('\n') ? after.slice(0, -1) : after;
}

/** Shows text of any length in `$PAGER` (default less), handing over the terminal. */
export async function showInPager(context: ActionContext, text: Safe): Promise<void> {
	const pager = process.env.PAGER || 'less';
	// Keeps a short text open until the user quits, whatever LESS says (`-+F`); `$` ends a prompt or command
	// in it.
	const env = {LESS: process.env.LESS ? `${process.env.LESS}$ -+F` : '-+F'};
	try {
		await handOverFile(context, pager, {text, name: 'message.md', env}, code => {
			if (code === 127)
				notify(context, 'bad', `The pager "${pager}" was not found: set PAGER to an installed pager`);
			else if (code === 126)
				notify(context, 'bad', `The pager "${pager}" can't be run: set PAGER to another one`);
		});
	} catch (error) {
		notify(context, 'bad', `The pager could not be opened: ${reasonOf(error)}`);
	}
}

function reasonOf(error: unknown): string {
	return error instanceof Error ? error.message : String(error);
}

/** The environment for the user's programs, without our own variables: above all, the key. */
export function programEnvironment(): NodeJS.ProcessEnv {
	const variables = Object.entries(process.env).filter(
		([name]) => !name.toUpperCase().startsWith('QUARTERDECK_'),
	);
	return Object.fromEntries(variables);
}

/** Opens an address with the system's own program, only when the user asks for it. */
export async function openLink(context: ActionContext, address: string): Promise<void> {
	const url = openableLink(address);
	if (url === undefined) {
		notify(context, 'bad', 'Not opened: only http, https and mailto links without a password can be opened');
		return;
	}
	const program = process.platform === 'darwin' ? 'open' : 'xdg-open';
	const {spawn} = await import('node:child_process');
	const child = spawn(program, [url], {stdio: 'ignore', detached: true, env: programEnvironment()});
	child.once('spawn', () => notify(context, 'good', `Opening ${url}`));
	child.once('error', () =>
		notify(context, 'bad', `Not opened: ${program} is not installed; copy the link instead`),
	);
	child.once('exit', code => {
		if (code !== 0 && code !== null)
			notify(context, 'bad', `Not opened: ${program} ended with ${code}; copy the link instead`);
	});
	// The browser may be started by it: it may outlive this program.
	child.unref();
}

/** What a notification is about. Texts are raw; one that doesn't apply is empty. */
export type NotificationFacts = {
	readonly sessionId: string;
	readonly title: string;
	readonly reason: string;
	readonly computer: string;
};

export type NotifyCommand = (facts: NotificationFacts) => void;

/** How long one run may take, ms. */
const maxTime = 10_000;
/** Characters per fact: an environment has a maximum size. */
const maxLength = 1000;

/**
 * Runs the program that the configuration names, once per notification and one run at a time, without a shell.
 * Only the first failure is shown.
 */
export function createNotifyCommand(
	context: ActionContext,
	command: readonly string[],
	limit: number = maxTime,
): NotifyCommand {
	let last = Promise.resolve();
	let hasFailed = false;
	return facts => {
		last = last.then(async () => {
			const problem = await run(command, environmentOf(facts), limit);
			if (problem === undefined || hasFailed) return;
			hasFailed = true;
			notify(context, 'bad', problem);
		});
	};
}

function environmentOf({sessionId, title, reason, computer}: NotificationFacts): NodeJS.ProcessEnv {
	const fact = (text: string) => cleanLine(maskText(text), maxLength);
	return {
		...programEnvironment(),
		QUARTERDECK_SESSION: fact(sessionId),
		QUARTERDECK_TITLE: fact(title),
		QUARTERDECK_REASON: fact(reason),
		QUARTERDECK_COMPUTER: fact(computer),
	};
}

/** Resolves with what went wrong, as a sentence. */
async function run(
	[program = '', ...args]: readonly string[],
	env: NodeJS.ProcessEnv,
	limit: number,
): Promise<string | undefined> {
	const {spawn} = await import('node:child_process');
	const {promise, resolve} = Promise.withResolvers<string | undefined>();
	const child = spawn(program, args, {stdio: 'ignore', env, timeout: limit, killSignal: 'SIGKILL'});
	child.once('error', ({message}) =>
		resolve(`notifyCommand didn't start (${message}): check it in the configuration`),
	);
	child.once('exit', (code, signal) => {
		if (code !== 0)
			resolve(
				`notifyCommand: ${program} ended with ${code ?? signal ?? 'unknown'}; later failures aren't shown`,
			);
		else resolve(undefined);
	});
	child.unref();
	return promise;
}
