import {expect, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';

const size = {columns: 140, rows: 30};

function environment(url: string): NodeJS.ProcessEnv {
	return {...emptyHome(), QUARTERDECK_API_KEY: 'key', QUARTERDECK_BASE_URL: url, QUARTERDECK_APP_URL: url};
}

test('a service that is down is reported with the reason, and nothing unknown is called last known', async () => {
	const server = await startFaultServer();
	await server.close();
	const terminal = openProgram(['--computer', 'gpu'], environment(server.url), size);
	await terminal.see(/✗ offline/);
	await terminal.see("The service can't be reached");
	await terminal.see('r tries again now');
	expect(terminal.screen()).not.toContain('last known');
	terminal.press('q');
	await terminal.exit();
});

test("after the screen closes, the shell says what isn't sent yet", async () => {
	const server = await startFaultServer();
	await server.close();
	const terminal = openProgram(['--session', 's1'], environment(server.url), size);
	await terminal.see(/✗ offline/);
	terminal.press('enter');
	await terminal.see('Write to the agent');
	terminal.type('half of it');
	await terminal.see('half of it');
	terminal.press('enter');
	await terminal.see('Alt+↑ takes back');
	terminal.press('esc');
	await terminal.see('x take back before it is sent');
	terminal.press('q');
	await terminal.see('1 message is not sent yet: Quarterdeck tries again when it next runs');
	await terminal.exit();
});

test('the first failure is shown before the service has been asked many times in silence', async () => {
	const server = await startFaultServer();
	const terminal = openProgram(['--session', 's1'], environment(server.url), size);
	await terminal.see(/r tries again/);
	expect(server.requests.length).toBeLessThan(3);
	terminal.press('q');
	await terminal.exit();
	await server.close();
});

const viewTitles = [
	'Hook events',
	'Users',
	'Controls',
	'Readiness',
	'Usage',
	'Computers',
	'Sessions',
	'Work',
];

test('every view reports a refused key with the remedy', async () => {
	const server = await startFaultServer();
	server.otherwise(json({detail: 'no such key', requestId: 'req-1'}, 401));
	const terminal = openProgram([], environment(server.url), {columns: 100, rows: 30});
	await terminal.see(/✗ key refused/);
	for (const [index, title] of viewTitles.entries()) {
		terminal.press(String(viewTitles.length - index));
		await terminal.see(new RegExp(`[╭├┬]─ ${title}`));
		expect(terminal.screen()).toMatch(/✗ The service refused the key \(401\).*QUARTERDECK_API_KEY/s);
	}
	await terminal.see('once the service answers and');
	expect(terminal.screen()).not.toContain('req-1');
	// What nobody knows isn't said: neither that nothing is there nor that a key would change it.
	expect(terminal.screen()).toMatch(/Needs you.*unknown[\s\S]*No sessions known[\s\S]*No computers known/);
	expect(terminal.screen()).not.toMatch(/nothing needs you|starts one|creates one/);
	terminal.press('q');
	await terminal.exit();
	await server.close();
});

test('a service that is down at the start is found when it comes up, without a key press', async () => {
	const server = await startFaultServer();
	const port = Number(new URL(server.url).port);
	await server.close();
	const terminal = openProgram([], environment(server.url), size);
	await terminal.see(/✗ offline since \d\d:\d\d, reconnecting/);
	await terminal.see(/✗ The service can't be reached at .*r tries again now/s);
	const again = await startFaultServer(port);
	again.otherwise(json({users: [], hasMore: false}));
	await terminal.see('● connected');
	await terminal.gone("can't be reached");
	terminal.press('q');
	await terminal.exit();
	await again.close();
});

test('another server at the address is reported, and asked again on demand', async () => {
	const server = await startFaultServer();
	server.otherwise(json({detail: 'no such page'}, 404));
	const terminal = openProgram([], environment(server.url), size);
	await terminal.see(/✗ not connected/);
	await terminal.see(/r tries again now/);
	server.otherwise(json({users: [], hasMore: false}));
	terminal.press('r');
	await terminal.see('● connected');
	await terminal.gone('r tries again now');
	terminal.press('q');
	await terminal.exit();
	await server.close();
});
