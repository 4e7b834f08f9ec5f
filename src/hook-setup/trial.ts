import {randomBytes} from 'node:crypto';
import {mkdtempSync, rmSync, unlinkSync} from 'node:fs';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {currentEnvironment, type RuntimeEnvironment} from '../../hooks/runtime-folder.ts';
import type {Envelope} from '../../hooks/wire.ts';
import {findListeners, readSpool} from './listeners.ts';
import {type CommandEnd, runCommand} from './run-command.ts';
import {createTrialEnvironment, type Receiver, type TrialEnvironment} from './trial-environment.ts';

/** One run of a command. It passed if there are no problems. */
export type TrialResult = {
	readonly event: string;
	/** The fault that was provoked, or `as installed`. */
	readonly fault: string;
	/** Wall time, ms. */
	readonly ms: number;
	readonly outcome: 'acknowledged' | 'spooled' | 'lost';
	readonly problems: readonly string[];
};

/** Exceeds the largest payload read whole, in bytes. */
const overLong = 1.1 * 1024 * 1024;
const secret = 'never forward this prompt';

/** A fault to provoke in one run. */
type Fault = {
	readonly name: string;
	readonly receiver: Receiver;
	readonly isMute?: boolean;
	readonly spoil?: (payload: string) => string;
	/** Additional variables in the client's environment. */
	readonly env?: {readonly [name: string]: string};
	/** Whether enough of the payload arrives to identify its event. */
	readonly isNamed?: boolean;
};

const faults: readonly Fault[] = [
	{name: 'a program answers', receiver: 'answers'},
	{name: 'no program', receiver: 'nobody'},
	{name: 'a dead socket', receiver: 'gone'},
	{name: 'a hung program', receiver: 'hangs'},
	{name: 'empty input', receiver: 'answers', spoil: () => '', isNamed: false},
	{
		name: 'over-long input',
		receiver: 'answers',
		spoil: payload => `${payload.slice(0, -1)},"tool_input":"${'x'.repeat(overLong)}"}`,
	},
	{name: 'cut input', receiver: 'answers', spoil: payload => payload.slice(0, -3)},
	{name: 'closed output', receiver: 'answers', isMute: true},
	{
		// VS Code's terminals preload such a script, and it may be gone.
		name: 'hostile Node settings',
		receiver: 'answers',
		env: {
			NODE_OPTIONS: '--require /nowhere/bootloader.cjs',
			NODE_DEBUG: 'net,fs,module',
			// Node tries to make it for ever.
			NODE_COMPILE_CACHE: '/proc/x',
		},
	},
];

export type TrialOptions = {
	/** The exact installed string. */
	readonly command: string;
	readonly events: readonly string[];
	readonly home: string;
	readonly abort?: AbortSignal;
};

/**
 * Runs an installed command with `sh -c` in a minimal environment, for each event: once as a client would,
 * then with each fault in isolated folders. Leaves nothing behind but test events in running programs.
 */
export async function* runTrial(options: TrialOptions): AsyncGenerator<TrialResult> {
	const root = mkdtempSync(join(process.platform === 'win32' ? tmpdir() : '/tmp', 'qd-'));
	try {
		for (const event of options.events) yield await runAsInstalled(event, options);
		for (const [index, fault] of faults.entries()) {
			const environment = await createTrialEnvironment(join(root, String(index)), fault.receiver);
			try {
				for (const event of options.events) yield await runWithFault(event, fault, environment, options);
			} finally {
				await environment.close();
			}
		}
	} finally {
		rmSync(root, {recursive: true, force: true});
	}
}

/** The environment of a client started by a desktop or by cron. */
function bareEnvironment(home: string) {
	return {HOME: home, PATH: '/usr/bin:/bin'};
}

async function runAsInstalled(event: string, {command, home, abort}: TrialOptions): Promise<TrialResult> {
	const env = bareEnvironment(home);
	const session = newSession();
	const end = await runCommand(command, {env, input: payloadOf(event, session), ...(abort && {abort})});
	const here = currentEnvironment();
	const bare: RuntimeEnvironment = {...here, env};
	const waiting = [bare, here]
		.flatMap(readSpool)
		.filter(({envelope}) => envelope.data.session_id === session);
	for (const file of new Set(waiting.map(one => one.file))) unlinkSync(file);
	const listeners = (await Promise.all([bare, here].map(findListeners))).flat();
	const isTaken = listeners.some(({isLive}) => isLive);
	const outcome = waiting.length > 0 ? 'spooled' : isTaken ? 'acknowledged' : 'lost';
	const problems = [...problemsOf(end), ...(outcome === 'lost' ? ['the event was lost'] : [])];
	return {event, fault: 'as installed', ms: end.ms, outcome, problems};
}

async function runWithFault(
	event: string,
	{name, isMute = false, spoil, env: extra, isNamed = true}: Fault,
	environment: TrialEnvironment,
	{command, home, abort}: TrialOptions,
): Promise<TrialResult> {
	const payload = payloadOf(event, newSession());
	const env = {...bareEnvironment(home), ...environment.env, ...extra};
	const input = spoil ? spoil(payload) : payload;
	const end = await runCommand(command, {env, input, isMute, ...(abort && {abort})});
	const {received, spooled} = environment.takeEvents();
	const outcome = received.length > 0 ? 'acknowledged' : spooled.length > 0 ? 'spooled' : 'lost';
	const problems = problemsOf(end);
	if (outcome === 'lost') problems.push('the event was lost');
	for (const envelope of [...received, ...spooled])
		problems.push(...envelopeProblems(envelope, isNamed ? event : ''));
	return {event, fault: name, ms: end.ms, outcome, problems};
}

function problemsOf({code, signal, output}: CommandEnd): string[] {
	const problems: string[] = [];
	if (code !== 0) problems.push(`it exited with ${signal ?? code}, not 0`);
	if (output) problems.push(`it printed: ${output}`);
	return problems;
}

function envelopeProblems(envelope: Envelope, event: string): string[] {
	const problems: string[] = [];
	if (envelope.event !== event) problems.push(`it reports ${envelope.event || 'no event'}, not ${event}`);
	if (JSON.stringify(envelope).includes(secret)) problems.push('it forwards the prompt');
	return problems;
}

function newSession(): string {
	return `quarterdeck-test-${randomBytes(6).toString('hex')}`;
}

function payloadOf(event: string, session: string): string {
	return JSON.stringify({
		session_id: session,
		hook_event_name: event,
		quarterdeck_test: true,
		cwd: '/',
		message: 'a test event from quarterdeck hooks test',
		prompt: secret,
	});
}
