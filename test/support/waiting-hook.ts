import {spawn} from 'node:child_process';
import {mkdirSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {onTestFinished} from 'vitest';
import {answerKeyName} from '../../hooks/ask-wire.ts';
import {systemClock} from '../../src/domain/clock.ts';
import type {HookRequest} from '../../src/domain/sessions/hook-request.ts';
import {
	PermissionRequests,
	type PermissionRequestsOptions,
} from '../../src/hook-listeners/permission-requests.ts';
import type {HookFolders} from './hook-folders.ts';

/** How a hook ended, with all that it printed. */
export type HookEnd = {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly output: string;
	readonly errors: string;
};

export type WaitingHook = {
	readonly pid: number;
	readonly end: Promise<HookEnd>;
	kill(signal?: NodeJS.Signals): void;
};

/** What a client sends for a permission prompt. */
export function permissionPayload(more: object = {}): string {
	return JSON.stringify({
		session_id: 's1',
		cwd: '/work/shop',
		hook_event_name: 'PermissionRequest',
		tool_name: 'Bash',
		tool_input: {command: 'touch made-by-tool'},
		...more,
	});
}

/** Runs a hook command as a client does, and doesn't wait for its end. It is gone when the test is. */
export function startHook(
	[file = '', ...args]: readonly string[],
	env: NodeJS.ProcessEnv,
	payload: string,
): WaitingHook {
	const child = spawn(file, args, {env, stdio: 'pipe', timeout: 60_000, killSignal: 'SIGKILL'});
	onTestFinished(() => void child.kill('SIGKILL'));
	let output = '';
	let errors = '';
	child.stdout.setEncoding('utf8').on('data', (text: string) => {
		output += text;
	});
	child.stderr.setEncoding('utf8').on('data', (text: string) => {
		errors += text;
	});
	child.stdin.on('error', () => {});
	child.stdin.end(payload);
	const end = new Promise<HookEnd>(resolve =>
		child.on('close', (code, signal) => resolve({code, signal, output, errors})),
	);
	return {pid: child.pid ?? 0, end, kill: signal => void child.kill(signal)};
}

export const answerKey = 'k'.repeat(43);

/** Puts the key that signs answers where programs and hooks look for it. */
export function writeAnswerKey({spool}: Pick<HookFolders, 'spool'>): string {
	const file = join(dirname(spool), answerKeyName);
	mkdirSync(dirname(file), {recursive: true, mode: 0o700});
	writeFileSync(file, answerKey, {mode: 0o600});
	return file;
}

/** The part of a running program that takes requests in these folders; `requests` are those open now. */
export async function openRequestsIn(
	folders: Pick<HookFolders, 'runtime' | 'spool'>,
	options: Partial<PermissionRequestsOptions> = {},
) {
	const {runtime} = folders;
	writeAnswerKey(folders);
	mkdirSync(runtime, {recursive: true, mode: 0o700});
	const program = {requests: [] as readonly HookRequest[], answered: [] as string[]};
	const desk = new PermissionRequests({
		folder: runtime,
		key: answerKey,
		clock: systemClock,
		onChange(requests) {
			program.requests = [...requests.values()];
		},
		onAnswered: ({id}, option) => program.answered.push(`${id} ${option.word}`),
		...options,
	});
	await desk.keepListening();
	onTestFinished(() => desk.stop());
	return {program, desk};
}
