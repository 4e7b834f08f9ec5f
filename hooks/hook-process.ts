import {readFileSync} from 'node:fs';
import {randomId} from './random-id.ts';
import {cleanClient, type Envelope, type HookData, startedByVariable, wireVersion} from './wire.ts';

/**
 * Prepares this process to run as a hook: it ends at once under an embedded service, calls `onFailure` on errors and
 * signals, and prints no warnings, since some clients treat any output on stderr as a failure.
 */
export function prepareHook(onFailure: () => void): void {
	if (process.env[startedByVariable]) process.exit(0);
	process.on('uncaughtException', onFailure);
	process.noDeprecation = true;
	process.removeAllListeners('warning');
	for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, onFailure);
}

/** The envelope of an event. The command line names the client. */
export function newEnvelope(ts: number, data: HookData): Envelope {
	return {
		v: wireVersion,
		id: randomId(),
		ts,
		client: cleanClient(optionValue('--client')) || guessClient(data, process.env),
		event: data.hook_event_name ?? '',
		pid: process.pid,
		agentPid: agentPid(),
		data,
	};
}

/** The process that started this one: the launcher says by which it was started itself. */
export function parentPid(): number {
	return Number(optionValue('--parent-pid')) || process.ppid;
}

/** The agent started this process, or a shell whose command line has our command. Without /proc, it may be that shell. */
function agentPid(): number {
	const pid = parentPid();
	const read = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'latin1');
	try {
		if (read('cmdline').includes('quarterdeck-hook')) return Number(/.*\) \S (\d+)/s.exec(read('stat'))?.[1]);
	} catch {
		// No such process, or no /proc.
	}
	return pid;
}

export function optionValue(name: string): string {
	const index = process.argv.indexOf(name);
	return index < 0 ? '' : (process.argv[index + 1] ?? '');
}

/** Identifies the client by the folder it keeps its transcripts in. */
const folders: readonly (readonly [client: string, folder: RegExp])[] = [
	['claude', /[/\\]\.claude[/\\]/],
	['droid', /[/\\]\.factory[/\\]/],
	['qwen', /[/\\]\.qwen[/\\]/],
	['gemini', /[/\\]\.gemini[/\\]/],
	['codex', /[/\\]\.codex[/\\]/],
];

/** Variables that clients set for their hooks. */
const variables: readonly (readonly [client: string, name: string])[] = [
	['droid', 'FACTORY_PROJECT_DIR'],
	['qwen', 'QWEN_PROJECT_DIR'],
	['gemini', 'GEMINI_PROJECT_DIR'],
	['claude', 'CLAUDE_PROJECT_DIR'],
	['claude', 'CLAUDECODE'],
];

/**
 * Guesses the client of an event when the command line doesn't name it; returns an empty string if unknown.
 * The payload comes before the environment: a client started inside another inherits the outer one's
 * variables.
 */
export function guessClient(data: HookData, env: NodeJS.ProcessEnv): string {
	const path = data.transcript_path ?? '';
	for (const [client, folder] of folders) if (folder.test(path)) return client;
	for (const [client, name] of variables) if (env[name]) return client;
	return '';
}
