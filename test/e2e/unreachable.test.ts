import {expect, onTestFinished, test} from 'vitest';
import {startFaultServer} from '../support/fault-server.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';

const views = [
	'Hook events',
	'Users',
	'Controls',
	'Readiness',
	'Usage',
	'Computers',
	'Sessions',
	'Needs you',
];

test('a service that fails, is down, then comes up and refuses the key is reported with the remedy', async () => {
	const first = await startFaultServer();
	const port = Number(new URL(first.url).port);
	const {url} = first;
	const env = {QUARTERDECK_API_KEY: 'key', QUARTERDECK_BASE_URL: url, QUARTERDECK_APP_URL: url};
	const terminal = openProgram(['--session', 's1'], {...emptyHome(), ...env}, {columns: 140, rows: 40});
	const {see, press, type} = terminal;
	// Before it has been asked many times in silence.
	await see(/r tries again/);
	expect(first.requests.length).toBeLessThan(3);
	await first.close();
	await see(/✗ offline since \d\d:\d\d, reconnecting/);
	await see("The service can't be reached");
	expect(terminal.screen()).not.toContain('last known');
	press('enter');
	await see('Write to the agent');
	type('half of it');
	await see('half of it');
	press('enter');
	await see('Alt+↑ takes back');
	press('esc');
	await see('x take back before it is sent');

	// Found again without a key; every view reports a refused one.
	const server = await startFaultServer(port);
	onTestFinished(() => server.close());
	server.otherwise(json({detail: 'no such key', requestId: 'req-1'}, 401));
	await see(/✗ key refused/);
	for (const [index, title] of views.entries()) {
		press(String(views.length - index));
		await see(new RegExp(`[╭├┬]─ ${title}`));
		expect(terminal.screen()).toMatch(/✗ The service refused the key \(401\).*QUARTERDECK_API_KEY/s);
	}
	expect(terminal.row(1)).not.toContain('req-1');
	// What nobody knows isn't said: neither that nothing is there nor that a key would change it.
	expect(terminal.screen()).toMatch(/Needs you ─+ not known: key refused[\s\S]*No computers known/);
	expect(terminal.screen()).not.toMatch(/nothing needs you|starts one|creates one/);

	press('q');
	await see('1 message is not sent yet: Quarterdeck tries again when it next runs');
	await terminal.exit();
}, 90_000);
