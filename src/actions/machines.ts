import {homedir} from 'node:os';
import {join} from 'node:path';
import type {CallOptions} from '../api/client.ts';
import {isServiceError, NotFoundError} from '../api/errors.ts';
import type {Service} from '../api/service.ts';
import type {Computer} from '../domain/computers/computer.ts';
import {readSmallFile} from '../git/small-file.ts';
import type {ActionContext} from './context.ts';
import {machineParts, removeMachine, requestComputer} from './fleet.ts';
import {notify, notifyFailure} from './notify.ts';
import {programEnvironment, runInTerminal} from './user-programs.ts';

/** Connects another machine again, or goes on with the step that failed. */
export async function connectMachine(context: ActionContext, computerId: string): Promise<void> {
	try {
		const tried = await requestComputer(context, computers => computers.connect(computerId), computerId);
		const computer = () => context.stores.fleet.getState().computers.get(computerId)?.computer;
		notify(context, 'info', 'Connecting again', {
			isCurrent: () => computer()?.status === tried.status && failureOf(computer()) === failureOf(tried),
		});
	} catch (error) {
		notifyFailure(context, error);
	}
}

/**
 * Hands the terminal to the real ssh, for a password, a code or a question, and connects the machine through that
 * connection. What is typed goes to ssh alone.
 */
export async function logInToMachine(
	context: ActionContext,
	{id, host, controlPath}: Computer,
): Promise<void> {
	if (!host || !('ssh' in host) || controlPath === undefined) return;
	const options = [`ControlPath=${controlPath}`, 'ControlPersist=8h'].flatMap(option => ['-o', option]);
	try {
		let code: number | undefined;
		await context.handOver(async () => {
			code = await runInTerminal('ssh', ['-M', '-N', '-f', ...options, '--', host.ssh], programEnvironment());
		});
		if (code === 0) await connectMachine(context, id);
		else notify(context, 'bad', 'ssh did not log in');
	} catch (error) {
		if (isServiceError(error)) throw error;
		notify(context, 'bad', 'ssh was not found on PATH');
	}
}

/** Makes the embedded service forget another machine; false if it has already. `removes` as in `computers.forget`. */
export async function leaveMachine(
	{computers}: Service,
	computerId: string,
	removes: boolean,
	options?: CallOptions,
): Promise<boolean> {
	try {
		await computers.forget(computerId, removes, options);
		return true;
	} catch (error) {
		if (!(error instanceof NotFoundError)) throw error;
		return false;
	}
}

/** What is forgotten here with another machine: its sessions, and their unsent messages. */
export function forgottenWith({stores}: Pick<ActionContext, 'stores'>, computerId: string) {
	const messages = [...stores.outbox.getState().bySession.values()].flat();
	return machineParts(stores.fleet.getState(), messages, computerId);
}

/** Forgets another machine and its sessions, here and at the embedded service. Its own service and agents go on. */
export async function forgetMachine(context: ActionContext, computerId: string): Promise<void> {
	try {
		await leaveMachine(context.service, computerId, false);
		removeMachine(context, context.engine.outbox, computerId, forgottenWith(context, computerId));
		notify(
			context,
			'info',
			`Computer forgotten; its service and agents go on there; ${context.keyName('new-computer')} adds it again`,
		);
	} catch (error) {
		notifyFailure(context, error);
	}
}

/** Largest configuration that is read, bytes. */
const maxConfiguration = 1_000_000;

/** The hosts that the user's configuration of ssh names, without those that are patterns, in its order. */
export function configuredHosts(): readonly string[] {
	const config = readSmallFile(join(homedir(), '.ssh/config'), {
		maxSize: maxConfiguration,
		followsLinks: true,
	});
	const lines = config?.matchAll(/^[ \t]*host[ \t=]+(.*)$/gim) ?? [];
	const names = [...lines].flatMap(([, names = '']) => names.split(/\s+/));
	return [...new Set(names.filter(name => /^[\w.@:][\w.@:-]*$/.test(name)))];
}

/** What a failed connection needs: the user at ssh, another try, or that they settle a changed key with ssh itself. */
export function connectionNeeds(computer: Computer): 'log-in' | 'retry' | 'changed-key' {
	const error = failureOf(computer);
	if (/REMOTE HOST IDENTIFICATION HAS CHANGED/i.test(error)) return 'changed-key';
	const isSsh = computer.host !== undefined && 'ssh' in computer.host;
	return isSsh && /permission denied|host key verification failed|authentication/i.test(error)
		? 'log-in'
		: 'retry';
}

/** Why the first step that failed did; empty if none has. */
function failureOf(computer: Computer | undefined): string {
	return computer?.provisioningSteps?.find(({status}) => status === 'failed')?.error ?? '';
}
