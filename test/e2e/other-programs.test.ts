import {expect, onTestFinished, test} from 'vitest';
import {runJson} from '../support/agent-says.ts';
import {cliAt} from '../support/cli.ts';
import {startFaultServer} from '../support/fault-server.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {emptyHome, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';

test('a running screen shows what headless commands add and send, without being touched', async () => {
	const cli = cliAt(temporaryFolder());
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	server.otherwise((response, request) => {
		if (request.method === 'POST') return json({messageId: 'm-1', status: 'running'})(response, request);
		if (request.path.includes('/computers/'))
			return json({id: 'c-other', name: 'box-of-theirs', status: 'active'})(response, request);
		return json({messages: [], pagination: {hasMore: false}})(response, request);
	});
	const env = {QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: 'k-0123456789'};
	const screen = openProgram(
		[],
		{
			PATH: process.env.PATH,
			HOME: cli.home,
			XDG_RUNTIME_DIR: `${cli.home}/run`,
			TMPDIR: cli.home,
			LANG: 'C.UTF-8',
			...env,
		},
		{columns: 120, rows: 36},
	);
	await screen.see('Sessions');
	await cli.run(['computers', 'add', 'c-other'], {env});
	await screen.see('box-of-theirs');
	await cli.run(['sessions', 'add', 's-added'], {env});
	await screen.see('s-added');
	await cli.run(['send', 's-sent', 'words of another program'], {env});
	await screen.see('s-sent');
	screen.press('q');
	await screen.see('Code 0');
	expect(await screen.exit).toMatchObject({code: 0});
});

test('a message sent in one screen reaches another screen of the session at once', async () => {
	const home = emptyHome();
	const first = openProgram(['--local'], home, {columns: 120, rows: 36});
	await first.see(/active +.*3 of 3|3 of 3 steps/);
	const [session] = runJson(home, 'sessions', 'create', '--computer-id', computerIn(home));
	const id = String(session?.sessionId);
	const second = openProgram(['--local', '--session', id], home, {columns: 120, rows: 36});
	await second.see('Space or Enter writes');
	const third = openProgram(['--local', '--session', id], home, {columns: 120, rows: 36});
	await third.see('Space or Enter writes');
	second.press('enter');
	second.type('echo from-another-screen');
	second.press('enter');
	await second.see(/agent.*from-another-screen/);
	await third.see(/agent.*from-another-screen/);
	for (const screen of [second, third, first]) {
		if (screen === second) {
			screen.press('esc');
			await screen.see(/Enter write +n new/);
		}
		screen.press('q');
		await screen.see('Code 0');
		await screen.exit;
	}
}, 120_000);

function computerIn(home: NodeJS.ProcessEnv): string {
	return String(runJson(home, 'computers', 'list')[0]?.id);
}
