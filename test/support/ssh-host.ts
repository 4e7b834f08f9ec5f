import {execFileSync, spawn} from 'node:child_process';
import {existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {createServer} from 'node:net';
import {tmpdir} from 'node:os';
import {dirname, join} from 'node:path';

/** A host that ssh reaches, on this machine, whose programs see another home. */
export type SshHost = Awaited<ReturnType<typeof startSshHost>>;

const daemon = '/usr/sbin/sshd';

/** Why no host can be started here; undefined if one can. */
export const noSshHost = existsSync(daemon) ? undefined : `${daemon} is missing: install openssh-server`;

/**
 * Starts an sshd of this user on loopback, which knows one key. `devbox` is its name for an \`ssh\` on the PATH. The
 * settings of the user's own shell don't run there: that can take seconds, and a cut can leave it half done.
 */
export async function startSshHost() {
	const folder = mkdtempSync(join(tmpdir(), 'qd-ssh-'));
	const home = join(folder, "it's a $home");
	const bin = join(folder, 'bin');
	const file = (name: string) => join(folder, name);
	const runtime = file('run');
	for (const each of [home, bin, runtime]) mkdirSync(each, {mode: 0o700});
	for (const name of ['host-key', 'user-key'])
		execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', file(name)]);
	// sshd as root wants it.
	if (process.getuid?.() === 0) mkdirSync('/run/sshd', {recursive: true});
	const port = await freePort();
	const login = file('login');
	writeFileSync(
		login,
		`#!/bin/sh
exec env -i HOME="${home.replace('$', '\\$')}" XDG_RUNTIME_DIR='${runtime}' PATH="${dirname(process.execPath)}:/usr/bin:/bin" sh -c 'echo motd; exec sh'
`,
		{mode: 0o755},
	);
	writeFileSync(
		file('sshd.conf'),
		`Port ${port}
ListenAddress 127.0.0.1
HostKey ${file('host-key')}
AuthorizedKeysFile ${file('user-key.pub')}
PidFile none
UsePAM no
StrictModes no
ForceCommand ${login}
SetEnv HOME=${folder}
`,
	);
	writeFileSync(
		file('config'),
		`Host devbox
HostName 127.0.0.1
Port ${port}
IdentityFile ${file('user-key')}
IdentitiesOnly yes
UserKnownHostsFile ${file('known-hosts')}
`,
	);
	writeFileSync(file('known-hosts'), `[127.0.0.1]:${port} ${readFileSync(file('host-key.pub'), 'utf8')}`);
	const ssh = execFileSync('sh', ['-c', 'command -v ssh']).toString().trim();
	writeFileSync(
		join(bin, 'ssh'),
		`#!/bin/sh
echo $$ >> '${file('pids')}'
exec ${ssh} -F '${file('config')}' "$@"
`,
		{mode: 0o755},
	);
	const start = async () => {
		const child = spawn(daemon, ['-D', '-e', '-f', file('sshd.conf')], {stdio: ['ignore', 'ignore', 'pipe']});
		const {promise: listens, resolve, reject} = Promise.withResolvers<void>();
		let said = '';
		child.stderr.setEncoding('utf8').on('data', text => {
			said += text;
			if (said.includes('Server listening')) resolve();
		});
		child.on('close', () => reject(new Error(`sshd: ${said}`)));
		await listens;
		return child;
	};
	let running = await start();
	return {
		/** The home of its programs; its name needs quotes. */
		home,
		/** What its own programs have, so that they meet. */
		envThere: {HOME: home, XDG_RUNTIME_DIR: runtime},
		/** What a program that connects to \`devbox\` has on its PATH. */
		env: {PATH: `${bin}:${process.env.PATH}`},
		/** Kills the newest connection, as a broken network does. */
		cut(): void {
			const pid = Number(readFileSync(file('pids'), 'utf8').trim().split('\n').at(-1));
			process.kill(pid, 'SIGKILL');
		},
		/** From now on nobody can connect. */
		stop: () => void running.kill(),
		async restart() {
			running = await start();
		},
		close(): void {
			running.kill();
			rmSync(folder, {recursive: true, force: true});
		},
	};
}

function freePort(): Promise<number> {
	return new Promise(resolve => {
		const server = createServer().listen(0, '127.0.0.1', () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : 0));
		});
	});
}
