import {expect, onTestFinished, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import {newOutboxItem} from '../../src/domain/messages/delivery.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {jsonLines} from '../support/cli.ts';
import {servedCommands as setUp} from '../support/commands.ts';
import {json, resetAfter} from '../support/replies.ts';

test('the outbox is listed, waited for and discarded from, but keeps delivered messages', async () => {
	const {cli, server, env} = await setUp();
	server.otherwise(json({error: 'too long'}, 400));
	await cli.run(['send', 's-1', 'failed words'], {env});
	server.otherwise(json({}, 429, {'retry-after': '1'}));
	await cli.run(['send', 's-2', 'queued words', '--no-wait'], {env});
	const table = await cli.run(['outbox', 'list'], {env});
	expect(table).toMatchObject({code: 0, stderr: ''});
	expect(table.stdout).toMatch(/failed .*failed words .*too long/);
	const listed = jsonLines((await cli.run(['outbox', 'list', '--json'], {env})).stdout);
	expect(listed).toMatchObject([
		{sessionId: 's-1', state: 'failed', text: 'failed words', images: 0, files: []},
		{sessionId: 's-2', state: 'queued', text: 'queued words'},
	]);
	expect(jsonLines((await cli.run(['outbox', 'list', '--session', 's-2', '--json'], {env})).stdout)).toEqual(
		listed.slice(1),
	);
	const [failed = '', queued = ''] = listed.map(({id}) => `${id}`);
	expect((await cli.run(['outbox', 'wait', failed], {env})).code).toBe(1);
	expect((await cli.run(['outbox', 'discard', 'nothing'], {env})).code).toBe(4);
	expect(await cli.run(['outbox', 'discard', failed], {env})).toMatchObject({code: 0, stderr: ''});
	expect(jsonLines((await cli.run(['outbox', 'list', '--json'], {env})).stdout)).toMatchObject([
		{id: queued},
	]);
	server.otherwise(json({messageId: 'm-1', status: 'running'}));
	const waited = await cli.run(['outbox', 'wait', '--json'], {env});
	expect(waited.code).toBe(0);
	expect(jsonLines(waited.stdout)).toMatchObject([{id: queued, state: 'accepted', messageId: 'm-1'}]);
	for (const verb of ['discard', 'resend']) {
		const late = await cli.run(['outbox', verb, queued], {env});
		expect(late).toMatchObject({code: 1, stdout: '', stderr: expect.stringContaining('was delivered')});
	}
	expect((await cli.run(['outbox', 'wait'], {env})).code).toBe(0);
	expect((await cli.run(['outbox', 'list'], {env})).stdout).toBe('');
	const all = jsonLines((await cli.run(['outbox', 'list', '--all', '--json'], {env})).stdout);
	expect(all).toMatchObject([{id: queued, text: 'queued words', state: 'accepted', messageId: 'm-1'}]);
});

test('outbox wait without an id names what waits for a decision, and ends with its code', async () => {
	const {cli, server, env} = await setUp();
	const wait = () => cli.run(['outbox', 'wait'], {env});
	server.answer(resetAfter(0, ''));
	await cli.run(['send', 's-1', 'lost words'], {env});
	const database = openDatabase({file: onlyAccountFile(cli.stateFolder)});
	onTestFinished(() => database.close());
	const [lost] = database.outbox.all();
	if (!lost) throw new Error('nothing is kept');
	const queued = newOutboxItem(
		's-1',
		{text: 'later'},
		{accountId: lost.accountId, createdAt: lost.createdAt + 1},
	);
	database.outbox.put(queued);
	expect((await cli.run(['outbox', 'list'], {env})).stdout).toMatch(/later .*behind the unconfirmed message/);
	database.outbox.remove(queued.id);
	const {lookUntil: _, ...undecided} = lost;
	database.outbox.put(undecided);
	const unknown = await wait();
	expect(unknown).toMatchObject({code: 5, stderr: expect.stringContaining('may have been accepted')});
	expect(unknown.stdout).toMatch(/unconfirmed .*lost words/);
	server.otherwise(json({error: 'too long'}, 400));
	await cli.run(['send', 's-2', 'failed words'], {env});
	const failed = await wait();
	expect(failed).toMatchObject({code: 1, stderr: expect.stringContaining('too long')});
	expect(failed.stdout).toMatch(/unconfirmed .*lost words[\s\S]*failed .*failed words/);
	expect(server.requests.filter(({method}) => method === 'POST')).toHaveLength(2);
});
