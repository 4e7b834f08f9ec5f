import {expect, test} from 'vitest';
import {servedCommands} from '../support/commands.ts';
import {environmentIn, noLongWaits, openProgram} from '../support/program.ts';
import {json} from '../support/replies.ts';

/** Opens the screen on the folder that these commands use. */
function openScreen(home: string, args: string[], more: Readonly<Record<string, string>>) {
	return openProgram(args, {...environmentIn(home), ...more}, {columns: 120, rows: 36});
}

test('within a second a running screen shows what headless commands add and send, without being touched', async () => {
	const {cli, server, env} = await servedCommands();
	server.otherwise((response, request) => {
		if (request.method === 'POST') return json({messageId: 'm-1', status: 'running'})(response, request);
		if (request.method === 'PATCH') {
			const settings = {tags: [{name: 'tag-of-theirs'}]};
			return json({sessionId: 's-added', title: 'title-of-theirs', sessionSettings: settings})(
				response,
				request,
			);
		}
		if (request.path.includes('/computers/'))
			return json({id: 'c-other', name: 'box-of-theirs', status: 'active'})(response, request);
		return json({messages: [], pagination: {hasMore: false}})(response, request);
	});
	const screen = openScreen(cli.home, [], {...env, ...noLongWaits});
	await screen.see('Sessions');
	await cli.run(['computers', 'add', 'c-other'], {env});
	await screen.see('box-of-theirs');
	await cli.run(['sessions', 'add', 's-added'], {env});
	await screen.see('s-added');
	await cli.run(['sessions', 'update', 's-added', '--tag', 'tag-of-theirs'], {env});
	await screen.see('title-of-theirs');
	await screen.see('tag-of-theirs');
	await cli.run(['send', 's-sent', 'words of another program'], {env});
	await screen.see('s-sent');
	screen.press('q');
	await screen.see('Code 0');
	expect(await screen.exit()).toMatchObject({code: 0});
});

test('within a second a screen shows what the user acknowledges, types and sends in another', async () => {
	const {cli, server, env} = await servedCommands();
	const message = (id: string, text: string, createdAt: number) => ({
		id,
		content: [{id: 'i', text}],
		createdAt,
	});
	const messages = [message('m-1', 'Which one do you want?', Date.now() - 60_000)];
	server.answer(json({message: 'no'}, 422));
	server.otherwise((response, request) => {
		if (request.path.endsWith('/users'))
			return json({users: [], pagination: {hasMore: false}})(response, request);
		if (request.method === 'GET') {
			const isOfUser = ({id}: {id: string}) => id.startsWith('u-') === (request.query.role === 'user');
			const listed = request.query.role ? messages.filter(isOfUser) : messages;
			return json({messages: listed.toReversed(), pagination: {hasMore: false}})(response, request);
		}
		messages.push(message('u-1', (request.body as {text: string}).text, Date.now()));
		return json({messageId: 'u-1', status: 'running'})(response, request);
	});
	await cli.run(['send', 's-1', 'refused'], {env});
	const there = openScreen(cli.home, [], env);
	const here = openScreen(cli.home, [], {...env, ...noLongWaits});
	await here.see('1 needs you');
	await there.see('1 needs you');
	there.press('m');
	await here.see('nothing needs you');
	for (const screen of [there, here]) {
		screen.press('enter');
		await screen.see('Space or Enter writes');
	}
	there.press('enter');
	there.type('half a sentence');
	await here.see('half a sentence');
	there.press('enter');
	await here.see(/ \d\d:\d\d +│\n[^\n]*half a sentence/);
	there.press('esc');
	await there.see(/Enter write +Esc sessions/);
	for (const screen of [there, here]) {
		screen.press('q');
		await screen.see('Code 0');
		await screen.exit();
	}
});

test('what headless commands forget disappears from a running screen, even if it is open', async () => {
	const {cli, server, env} = await servedCommands();
	server.otherwise((response, request) => {
		// A message that the service refuses stays in the outbox.
		if (request.method === 'POST') return json({message: 'no'}, 422)(response, request);
		if (request.path.includes('/computers/'))
			return json({id: 'c-gone', name: 'box-to-forget', status: 'active'})(response, request);
		const text = `words of ${request.path.split('/').at(-2)}`;
		return json({
			messages: [{id: text, content: [{id: 'i', text}], createdAt: 1_700_000_000_000}],
			pagination: {hasMore: false},
		})(response, request);
	});
	await cli.run(['computers', 'add', 'c-gone'], {env});
	for (const id of ['s-open', 's-listed', 's-written']) await cli.run(['sessions', 'add', id], {env});
	await cli.run(['send', 's-open', 'refused-for-good'], {env});
	const screen = openScreen(cli.home, ['--session', 's-open'], env);
	await screen.see('words of s-open');
	await screen.see('refused-for-good');
	await screen.see('box-to-forget');
	const listed = await cli.run(['outbox', 'list', '--json'], {env});
	await cli.run(['outbox', 'discard', JSON.parse(listed.stdout).id], {env});
	await screen.gone('refused-for-good');
	await cli.run(['computers', 'forget', 'c-gone'], {env});
	await screen.gone('box-to-forget');
	await cli.run(['sessions', 'forget', 's-listed'], {env});
	await screen.gone('s-listed');
	await screen.see('words of s-open');
	await cli.run(['sessions', 'forget', 's-open'], {env});
	await screen.gone('words of s-open');
	await screen.see('Another program forgot the session shown here');

	// What is being written to stays open, and a message to it makes it known again.
	screen.press('enter', 'enter');
	await screen.see('words of s-written');
	screen.type('not lost');
	await screen.see('not lost');
	await cli.run(['sessions', 'forget', 's-written'], {env});
	await screen.see('sending to it adds it again');
	screen.type(' at all');
	screen.press('enter');
	await screen.see(/you [^\n]*\n[^\n]*not lost at all/);
	screen.press('esc');
	await screen.see(/Enter write .*n new session/);
	screen.press('q');
	await screen.see('Code 0');
	expect(await screen.exit()).toMatchObject({code: 0});
	const known = await cli.run(['sessions', 'list'], {env});
	expect(known.stdout).toContain('s-written');
	expect(known.stdout).not.toMatch(/s-open|s-listed/);
});
