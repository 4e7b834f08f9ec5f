import {spawnSync} from 'node:child_process';
import {expect} from 'vitest';
import {jsonLines} from './cli.ts';
import {builtHook} from './program.ts';
import {runInside} from './run-inside.ts';

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

/** Runs a command inside this process over the service that runs in the home, and answers its JSON lines. */
export async function runJson(
	{HOME: home = ''}: NodeJS.ProcessEnv,
	...args: readonly string[]
): Promise<Record<string, unknown>[]> {
	const {code, stdout, stderr} = await runInside([...args, '--local', '--json'], {home});
	expect([code, code === 0 ? '' : stderr]).toEqual([0, '']);
	return jsonLines(stdout);
}
