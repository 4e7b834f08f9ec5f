import {maskText} from '../domain/masking.ts';
import {cleanLine} from '../text/cells/clean.ts';
import type {ActionContext} from './context.ts';
import {programEnvironment} from './hand-over-file.ts';
import {notify} from './notify.ts';
import {strings} from './strings.ts';

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
	child.once('error', ({message}) => resolve(strings.notifyCommand.notStarted(message)));
	child.once('exit', (code, signal) => {
		if (code !== 0) resolve(strings.notifyCommand.failed(program, code ?? signal ?? 'unknown'));
		else resolve(undefined);
	});
	child.unref();
	return promise;
}
