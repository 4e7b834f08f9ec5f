import {onTestFinished} from 'vitest';
import {type Cli, cliAt} from './cli.ts';
import {type FaultServer, type Reply, startFaultServer} from './fault-server.ts';
import {temporaryFolder} from './local-service.ts';

/** The key that the program sends to the service. */
export const key = 'k-0123456789';

/** The program with a fresh home, a service of prepared responses, and the variables that connect them. */
export type ServedCli = {
	readonly cli: Cli;
	readonly server: FaultServer;
	readonly env: Readonly<Record<string, string>>;
};

/** `reply` is the answer to whatever has no other. The server ends with the test. */
export async function servedCli(reply?: Reply): Promise<ServedCli> {
	const cli = cliAt(temporaryFolder());
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	if (reply) server.otherwise(reply);
	return {cli, server, env: {QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: key}};
}
