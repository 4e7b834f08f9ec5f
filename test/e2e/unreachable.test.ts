import {expect, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';

const size = {columns: 140, rows: 30};

function environment(url: string): NodeJS.ProcessEnv {
	return {...emptyHome(), QUARTERDECK_API_KEY: 'key', QUARTERDECK_BASE_URL: url, QUARTERDECK_APP_URL: url};
}

test('a service that is down is told with its reason, and nothing unknown is called the last known', async () => {
	const server = await startFaultServer();
	await server.close();
	const terminal = openProgram(['--computer', 'gpu'], environment(server.url), size);
	await terminal.see(/✗ offline/);
	await terminal.see("The service can't be reached");
	expect(terminal.screen()).not.toContain('last known');
	terminal.press('q');
	await terminal.exit;
});

test('the first failure is on the screen before the service was asked many times in silence', async () => {
	const server = await startFaultServer();
	const terminal = openProgram(['--session', 's1'], environment(server.url), size);
	await terminal.see(/r tries again/);
	expect(server.requests.length).toBeLessThan(3);
	terminal.press('q');
	await terminal.exit;
	await server.close();
});
