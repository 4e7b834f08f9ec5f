import {mkdirSync} from 'node:fs';
import {join} from 'node:path';
import {onTestFailed, onTestFinished, vi} from 'vitest';
import {commands} from '../../src/commands/cli/table.ts';
import type {CliResult} from './cli.ts';
import {fakeClock} from './fake-clock.ts';
import {type FaultServer, type Reply, startFaultServer} from './fault-server.ts';
import {temporaryFolder} from './local-service.ts';
import {passing} from './passing-time.ts';
import {type CommandRun, type InsideOptions, startInside} from './run-inside.ts';
import {key} from './served-cli.ts';

// What commands import on first use: no wait may pass meanwhile.
await Promise.all([
	...commands.map(({load}) => load()),
	import('../../src/account-files.ts'),
	import('../../src/accounts.ts'),
	import('../../src/commands/cli/wire-command.ts'),
	import('../../src/api/http/http-client.ts'),
	import('../../src/config/config-file.ts'),
	import('../../src/api/agent-requests.ts'),
	import('../../src/api/analytics.ts'),
	import('../../src/api/computers.ts'),
	import('../../src/api/controls.ts'),
	import('../../src/api/messages.ts'),
	import('../../src/api/readiness.ts'),
	import('../../src/api/sessions.ts'),
	import('../../src/api/users.ts'),
	import('../../src/api/work-folders.ts'),
]);

type Options = Omit<InsideOptions, 'home'>;

/** Commands inside this process, with a home of their own and nothing of this process's environment but PATH. */
export type Commands = {
	readonly home: string;
	readonly stateFolder: string;
	run(args: readonly string[], options?: Options): Promise<CliResult>;
	start(args: readonly string[], options?: Options): CommandRun;
};

/** Commands with this home. The folder is the caller's to remove. */
export function commandsAt(home: string): Commands {
	const runtime = join(home, 'run');
	mkdirSync(runtime, {recursive: true, mode: 0o700});
	// Sockets, agents and their clients look there themselves.
	vi.stubEnv('HOME', home).stubEnv('XDG_RUNTIME_DIR', runtime);
	onTestFinished(() => void vi.unstubAllEnvs());
	const start: Commands['start'] = (args, options) => {
		const started = startInside(args, {home, ...options});
		let isOver = false;
		void started.ended.then(() => {
			isOver = true;
		});
		onTestFailed(() => {
			if (!isOver)
				process.stderr.write(`${args.join(' ')} goes on, and printed:\n${started.stdout}${started.stderr}\n`);
		});
		onTestFinished(() => {
			started.interrupt();
		});
		return started;
	};
	return {
		home,
		stateFolder: join(home, '.local/state/quarterdeck'),
		start,
		run: (args, options) => start(args, options).ended,
	};
}

/** Commands with a fresh home, a service of prepared responses, and the variables that connect them. */
export type ServedCommands = {
	readonly cli: Commands;
	readonly server: FaultServer;
	readonly env: Readonly<Record<string, string>>;
};

/** `reply` is the answer to whatever has no other. The server ends with the test. */
export async function servedCommands(reply?: Reply): Promise<ServedCommands> {
	const cli = withoutWaits(commandsAt(temporaryFolder()));
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	if (reply) server.otherwise(reply);
	return {cli, server, env: {QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: key}};
}

/** The same commands, whose `run` passes all waits at once, unless it gets a clock. For services that answer at once. */
export function withoutWaits(waiting: Commands): Commands {
	const clock = fakeClock(Date.now());
	return {
		...waiting,
		run: (args, options) =>
			options?.clock ? waiting.run(args, options) : passing(clock, waiting.run(args, {...options, clock})),
	};
}
