import {spawnSync} from 'node:child_process';
import {expect} from 'vitest';
import {builtCli, builtHook} from './program.ts';

/** A session that an agent runs, and the folder it works in. */
export type AgentSession = {readonly id: string; readonly cwd: string};

/** Runs the built hook with an event of a session, as the agent's client would. */
export function agentSays(
	env: NodeJS.ProcessEnv,
	{id, cwd}: AgentSession,
	event: Readonly<Record<string, unknown>>,
): void {
	const input = JSON.stringify({session_id: id, cwd, ...event});
	const {status} = spawnSync('node', [builtHook, '--client', 'claude'], {
		timeout: 60_000,
		env,
		input,
		encoding: 'utf8',
	});
	expect(status).toBe(0);
}

/** An agent that asks for permission to do something. */
export function agentAsks(env: NodeJS.ProcessEnv, session: AgentSession, message: string): void {
	agentSays(env, session, {
		hook_event_name: 'Notification',
		message,
		notification_type: 'permission_prompt',
	});
}

/** Runs a headless command of the built program and answers its JSON lines. */
export function runJson(env: NodeJS.ProcessEnv, ...args: readonly string[]): Record<string, unknown>[] {
	const {stdout, stderr, status} = spawnSync('node', [builtCli, ...args, '--local', '--json'], {
		timeout: 60_000,
		env,
		encoding: 'utf8',
	});
	expect([status, status === 0 ? '' : stderr]).toEqual([0, '']);
	return stdout
		.split('\n')
		.filter(line => line.trim() !== '')
		.map(line => JSON.parse(line));
}
