import {execFile} from 'node:child_process';
import {existsSync} from 'node:fs';
import {join} from 'node:path';

type Environment = Readonly<Record<string, string | undefined>>;

/** How long a question to systemd may take, ms. */
const answerTime = 1000;

const killsProcesses = [
	'get-property',
	'org.freedesktop.login1',
	'/org/freedesktop/login1',
	'org.freedesktop.login1.Manager',
	'KillUserProcesses',
];

/**
 * What a logout ends: `nothing` that is in the background; `all` of the session (logind's KillUserProcesses, which spares
 * root); or that too, but not yet what the user's own systemd runs: `session`.
 */
export async function logoutEnds(
	env: Environment = process.env,
	uid = process.getuid?.(),
): Promise<'nothing' | 'session' | 'all'> {
	if (uid === 0 || (await outputOf('busctl', killsProcesses, env)) !== 'b true') return 'nothing';
	return existsSync(join(env.XDG_RUNTIME_DIR ?? '', 'systemd/private')) ? 'session' : 'all';
}

/** Whether the user's own systemd goes on after the last logout. */
export async function lingers(user: string, env: Environment = process.env): Promise<boolean> {
	return (await outputOf('loginctl', ['show-user', user, '--property=Linger', '--value'], env)) === 'yes';
}

/** A command that outlives the login session, where that is possible. The process stays the same. */
export async function outlivingLogout(
	command: readonly string[],
	...about: Parameters<typeof logoutEnds>
): Promise<readonly string[]> {
	if ((await logoutEnds(...about)) !== 'session') return command;
	return ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--', ...command];
}

function outputOf(file: string, args: readonly string[], env: Environment): Promise<string | undefined> {
	return new Promise(resolve => {
		execFile(file, args, {env, timeout: answerTime}, (error, stdout) =>
			resolve(error ? undefined : stdout.trim()),
		);
	});
}
