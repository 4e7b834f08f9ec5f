import {writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {jsonLines, oneLine} from '../support/cli.ts';
import {servedCommands as setUp} from '../support/commands.ts';
import {json, noMessages} from '../support/replies.ts';

describe('one session', () => {
	const session = {
		sessionId: 's-1',
		status: 'running',
		messageCount: 3,
		createdAt: 1_777_000_000_000,
		updatedAt: 1_777_000_000_000,
	};

	test.each([['get'], ['update']])(
		"is read by sessions %s, which says that it writes, and what it can't read",
		async verb => {
			const {cli, server, env} = await setUp(json(session));
			const result = await cli.run(['sessions', verb, 's-1', '--json'], {env});
			expect(result.code).toBe(0);
			expect(result.stderr).toMatch(
				/^quarterdeck: .*an empty update \(PATCH\)\nquarterdeck: its messages can't be read, so its state is the last known: .*\n$/,
			);
			expect(jsonLines(result.stdout)).toMatchObject([
				{...session, quarterdeck: {status: {value: 'running'}}},
			]);
			const writes = server.requests.filter(({method}) => method !== 'GET');
			expect(writes).toMatchObject([{method: 'PATCH', path: '/api/v0/sessions/s-1', body: {}}]);
		},
	);

	test('has its lists emptied by --no, and replaced by values', async () => {
		const {cli, server, env} = await setUp(json(session));
		const sent = async (...args: string[]) => {
			const {code, stderr} = await cli.run(['sessions', 'update', 's-1', ...args], {env});
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			return (server.requests.at(-1)?.body as {sessionSettings: object} | undefined)?.sessionSettings;
		};
		expect(await sent('--no-tag')).toEqual({tags: []});
		expect(await sent('--no-enabled-tool-id', '--disabled-tool-id', 't')).toEqual({
			enabledToolIds: [],
			disabledToolIds: ['t'],
		});
		expect(await sent('--no-disabled-tool-id', '--tag', 'a', '--tag', 'b')).toEqual({
			disabledToolIds: [],
			tags: [{name: 'a'}, {name: 'b'}],
		});
		const both = await cli.run(['sessions', 'update', 's-1', '--tag', 'a', '--no-tag'], {env});
		expect(both).toMatchObject({code: 2, stderr: "quarterdeck: --tag and --no-tag can't be used together\n"});
	});

	test('keeps the metadata of tags that stay, as the service has them now', async () => {
		const tags = [
			{name: 'a', metadata: {color: 'red'}, addedBy: 'someone'},
			{name: 'b', metadata: {}},
		];
		const {cli, server, env} = await setUp(json({...session, sessionSettings: {tags}}));
		await cli.run(['sessions', 'update', 's-1', '--tag', 'a', '--tag', 'c'], {env});
		expect(server.requests.map(({body}) => body)).toEqual([
			{},
			{sessionSettings: {tags: [{name: 'a', metadata: {color: 'red'}}, {name: 'c'}]}},
		]);
	});

	test('takes every setting of the contract as JSON, from a file too', async () => {
		const settings = {
			providerLockTimestamp: '2026-05-01T10:00:00Z',
			assistantActiveTimeMs: 5,
			childInclusiveTokenUsageBySessionId: {'s-2': {}},
			tags: [{name: 'a', metadata: {color: 'red'}}],
		};
		const {cli, server, env} = await setUp(json(session));
		writeFileSync(join(cli.home, 'settings.json'), `\ufeff${JSON.stringify(settings)}\r\n`);
		const update = ['sessions', 'update', 's-1', '--model', 'm', '--settings'];
		expect(await cli.run([...update, JSON.stringify(settings)], {env})).toMatchObject({code: 0, stderr: ''});
		const create = ['sessions', 'create', '--computer-id', 'c-1', '--settings', `@${cli.home}/settings.json`];
		expect(await cli.run(create, {env})).toMatchObject({code: 0, stderr: ''});
		expect(server.requests.map(({body}) => body)).toEqual([
			{sessionSettings: {model: 'm', ...settings}},
			{computerId: 'c-1', sessionSettings: settings},
		]);
	});

	test.each([
		['{"model": 1}', 'model must be text'],
		['{"tokenUsage": {}}', 'tokenUsage is not a field of this request'],
		['{"tags": [{"name": "a", "color": "red"}]}', 'tags.0.color is not a field of this request'],
		['{"specModeModel": "x"}', 'specModeModel is in --settings and in a flag of its own: give it once'],
		['[]', '--settings must be an object'],
		['{', '--settings is not JSON'],
		['@missing.json', '--settings: ENOENT'],
	])('sends no settings like %s', async (settings, problem) => {
		const {cli, server, env} = await setUp(json(session));
		for (const verb of [
			['update', 's-1'],
			['create', '--computer-id=c-1'],
		]) {
			const args = ['sessions', ...verb, '--spec-mode-model', 'm', '--tag', 'a', '--settings', settings];
			const {code, stderr} = await cli.run(args, {env});
			expect({code, stderr}).toEqual({code: 2, stderr: expect.stringContaining(`quarterdeck: ${problem}`)});
		}
		expect(server.requests).toEqual([]);
	});

	test.each([
		'yesterday',
		'2026-05-01',
		'2026-02-30T10:00:00Z',
		'2026-05-01T25:00:00Z',
		'2026-05-01T10:00:00',
		'1777000000000',
	])('is not archived at %s', async time => {
		const {cli, server, env} = await setUp(json(session));
		const result = await cli.run(['sessions', 'update', 's-1', '--archived-at', time], {env});
		expect(result).toMatchObject({code: 2, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(server.requests).toEqual([]);
	});

	test.each(['2026-05-01T10:00:00Z', '2026-05-01T10:00:00.5+02:00'])('is archived at %s', async time => {
		const {cli, server, env} = await setUp(json(session));
		await cli.run(['sessions', 'update', 's-1', '--archived-at', time], {env});
		expect(server.requests[0]?.body).toEqual({sessionSettings: {archivedAt: time}});
		const [known] = jsonLines((await cli.run(['sessions', 'list', '--json'], {env})).stdout);
		expect(known, 'remembered though the answer leaves it out').toMatchObject({
			sessionSettings: {archivedAt: time},
		});
	});

	test('says which settings the service dropped', async () => {
		const {cli, server, env} = await setUp(json({...session, sessionSettings: {tags: [{name: 'a'}]}}));
		await cli.run(['sessions', 'update', 's-1', '--tag', 'a'], {env});
		server.otherwise(json({...session, sessionSettings: {model: 'm'}}));
		const {code, stderr} = await cli.run(['sessions', 'update', 's-1', '--model', 'm'], {env});
		expect({code, stderr}).toEqual({
			code: 0,
			stderr: 'quarterdeck: session updated, but the service dropped its tags\n',
		});
	});
});

test('a computer with repositories has their dependencies installed, unless told otherwise', async () => {
	const {cli, server, env} = await setUp(json({id: 'c-1', name: 'n', createdAt: 1_777_000_000_000}, 201));
	const create = [
		'computers',
		'create',
		'--name',
		'n',
		'--remote-user',
		'u',
		'--repo',
		'https://h.example/a',
	];
	await cli.run(create, {env});
	await cli.run([...create, '--no-auto-install-deps'], {env});
	const bodies = server.requests.map(({body}) => (body as {autoInstallDeps?: boolean}).autoInstallDeps);
	expect(bodies).toEqual([true, false]);
});

test('sessions add asks for each session once, and adds none if the service lacks one', async () => {
	const {cli, server, env} = await setUp(json(noMessages));
	const added = await cli.run(['sessions', 'add', 's-1', 's-2', '--json'], {env});
	expect(added).toMatchObject({code: 0, stderr: ''});
	expect(jsonLines(added.stdout)).toMatchObject([{sessionId: 's-1'}, {sessionId: 's-2'}]);
	expect(server.requests).toHaveLength(2);
	server.otherwise(json({title: 'not found'}, 404));
	expect((await cli.run(['sessions', 'add', 's-3', 's-4'], {env})).code).toBe(4);
	expect((await cli.run(['sessions', 'list'], {env})).stdout).not.toContain('s-3');
});

test('sessions continue refuses a session of the service, and names send instead', async () => {
	const {cli, server, env} = await setUp(json(noMessages));
	await cli.run(['sessions', 'add', 's-1'], {env});
	const asked = server.requests.length;
	const result = await cli.run(['sessions', 'continue', 's-1'], {env});
	expect(result).toMatchObject({code: 1, stdout: '', stderr: expect.stringMatching(oneLine)});
	expect(result.stderr).toContain('quarterdeck send');
	expect(server.requests).toHaveLength(asked);
});
