import {expect, test} from 'vitest';
import {servedCommands} from '../support/commands.ts';
import {environmentIn, noLongWaits, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';

test('a running screen shows what headless commands add, send and forget, without being touched', async () => {
	const {cli, server, env} = await servedCommands();
	server.otherwise((response, request) => {
		if (request.method === 'POST') return json({messageId: 'm-1', status: 'running'})(response, request);
		if (request.path.includes('/computers/'))
			return json({id: 'c-other', name: 'box-of-theirs', status: 'active'})(response, request);
		return json({messages: [], pagination: {hasMore: false}})(response, request);
	});
	const screen = openProgram(
		[],
		{...environmentIn(cli.home), ...env, ...noLongWaits},
		{columns: 120, rows: 36},
	);
	await screen.see('Sessions');
	await cli.run(['computers', 'add', 'c-other'], {env});
	await screen.see('box-of-theirs');
	await cli.run(['send', 's-sent', 'words of another program'], {env});
	await screen.see('s-sent');
	screen.press('enter');
	await screen.see('words of another program');
	await cli.run(['computers', 'forget', 'c-other'], {env});
	await screen.gone('box-of-theirs');
	await cli.run(['sessions', 'forget', 's-sent'], {env});
	await screen.gone('words of another program');
	await screen.see('Another program forgot the session shown here');
	screen.press('q');
	await screen.see('Code 0');
	expect(await screen.exit()).toMatchObject({code: 0});
});
