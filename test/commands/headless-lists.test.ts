import {describe, expect, test} from 'vitest';
import {jsonLines, oneLine} from '../support/cli.ts';
import {type ServedCommands, servedCommands as setUp} from '../support/commands.ts';
import {csvRows} from '../support/csv.ts';
import type {Reply} from '../support/fault-server.ts';
import {json, noMessages} from '../support/replies.ts';

/** So many items of each v0 list, or as many as are asked for. */
function pages(count: number): Reply {
	return (response, request) => {
		const from = Number(request.query.cursor ?? 0);
		const to = Math.min(from + Number(request.query.limit ?? 20), count);
		const indexes = Array.from({length: to - from}, (_, index) => from + index);
		const pagination = {hasMore: to < count, nextCursor: String(to)};
		const users = indexes.map(index => ({
			id: `u-${index}`,
			email: `u${index}@example.com`,
		}));
		const changes = indexes.map(index => ({
			revision: 1_000_000 - index,
			settings: {sessionRetentionDays: index},
			updatedAt: '2026-05-01T10:00:00Z',
		}));
		return json({users, changes, pagination})(response, request);
	};
}

/** Readiness reports, one repository each; endless. */
const reports: Reply = (response, request) => {
	const from = Number(request.query.startAfter?.slice(2) ?? -1) + 1;
	const list = Array.from({length: Number(request.query.limit ?? 20)}, (_, index) => ({
		reportId: `r-${from + index}`,
		repoUrl: `https://host.example/${from + index}`,
		createdAt: 1_777_000_000_000,
		report: {secret_scanning: {numerator: 1, denominator: 2, rationale: 'half'}},
	}));
	return json({reports: list})(response, request);
};

describe('a list is printed page by page', () => {
	test('the first page is printed while the second one is awaited', async () => {
		const {cli, server, env} = await setUp(() => {});
		server.answer(pages(1000));
		const run = cli.start(['users', '--json'], {env});
		await run.until(/"u-99"/);
		await server.asked(2);
		expect(jsonLines(run.stdout)).toHaveLength(100);
		run.interrupt();
		expect((await run.ended).code).toBe(130);
	});

	test.each([
		['users', pages(300), /u-99 /],
		['users --json', pages(300), /"u-99"/],
		['readiness --json', reports, /"r-9"/],
	])('%s whose second page fails says that it is cut, and why', async (command, reply, last) => {
		const {cli, server, env} = await setUp(json({error: 'no disk', requestId: 'req-8'}, 500));
		server.answer(reply);
		const {code, stdout, stderr} = await cli.run(command.split(' '), {env});
		expect(code).toBe(1);
		expect(stdout).toMatch(last);
		expect(stderr).toMatch(
			/^quarterdeck: the list is incomplete: it ends after the first \d+ rows, as .*\nquarterdeck: The service failed \(500\): no disk \(request req-8\)\..*\n$/,
		);
	});

	const answers = {
		messages: [{id: 'm-1', content: [{text: 'a', id: 'c'}], createdAt: 5}],
		reports: [],
		users: [],
	};
	test.each([['messages s --all --json'], ['users'], ['controls'], ['readiness --latest']])(
		'%s that fails before it prints has no output, and says why',
		async command => {
			const {cli, server, env} = await setUp(json({error: 'no disk', requestId: 'req-8'}, 500));
			if (command.startsWith('messages'))
				server.answer(json({...answers, pagination: {hasMore: true, nextCursor: 'c-2'}}));
			else if (command !== 'users') server.answer(command.startsWith('readiness') ? reports : pages(300));
			const {code, stdout, stderr} = await cli.run(command.split(' '), {env});
			expect({code, stdout}).toEqual({code: 1, stdout: ''});
			expect(stderr).toMatch(oneLine);
			expect(stderr).toContain('no disk (request req-8)');
		},
	);

	test.each([
		['users', json({users: [{id: 'u'}], pagination: {hasMore: true, nextCursor: 'same'}}), 2],
		[
			'controls',
			json({changes: [{revision: 2}, {revision: 1}], pagination: {hasMore: true, nextCursor: 'same'}}),
			2,
		],
		['readiness', json({reports: Array.from({length: 50}, (_, index) => ({reportId: `r${index}`}))}), 2],
	])('%s whose pages repeat end with 1 and say so', async (command, reply, requests) => {
		const {cli, server, env} = await setUp(reply);
		const {code, stderr} = await cli.run([command], {env});
		expect(code).toBe(1);
		expect(stderr).toMatch(oneLine);
		expect(stderr).toContain('repeats a cursor');
		expect(server.requests).toHaveLength(requests);
	});
});

test.each([
	['without times', undefined, /^quarterdeck: these messages have neither .* order is not known/],
	['with times', 1_777_000_000_000, /^$/],
])('messages %s say whether their order is known', async (_, time, said) => {
	const list = ['m-1', 'm-2'].map((id, index) => ({
		id,
		role: 'user',
		content: [{text: id, id}],
		...(time !== undefined && {createdAt: time + index}),
	}));
	const {cli, env} = await setUp(json({...noMessages, messages: list}));
	const {stdout, stderr} = await cli.run(['messages', 's-1', '--json'], {env});
	expect(jsonLines(stdout)).toHaveLength(2);
	expect(stderr).toMatch(said);
});

test('the history of the settings that comes in pages has its differences across page edges, too', async () => {
	const {cli, server, env} = await setUp(pages(250));
	const {code, stdout} = await cli.run(['controls', '--json'], {env});
	expect(code).toBe(0);
	expect(server.requests).toHaveLength(3);
	const reported = jsonLines(stdout) as {
		revision: number;
		quarterdeck: {isFirstKnown: boolean; changes: object[]};
	}[];
	expect(reported.map(one => one.revision)).toEqual(
		Array.from({length: 250}, (_, index) => 1_000_000 - index),
	);
	expect(reported[99]?.quarterdeck.changes).toMatchObject([{before: 100, after: 99}]);
	expect(reported.map(one => one.quarterdeck.isFirstKnown).indexOf(true)).toBe(249);
});

describe('--limit', () => {
	test.each([
		['users', pages(1000), 'id', ['u-0', 'u-1', 'u-2'], '3'],
		['controls', pages(10), 'revision', [1_000_000, 999_999, 999_998], '100'],
		['readiness', reports, 'reportId', ['r-0', 'r-1', 'r-2'], '3'],
	])(
		'for %s prints the first ones, and requests no more than it needs',
		async (command, reply, key, first, limit) => {
			const {cli, server, env} = await setUp(reply);
			const {code, stdout, stderr} = await cli.run([command, '--limit', '3', '--json'], {env});
			expect({code, stderr}).toEqual({code: 0, stderr: ''});
			expect(jsonLines(stdout).map(one => one[key])).toEqual(first);
			expect(server.requests.map(({query}) => query.limit)).toEqual([limit]);
		},
	);

	test('applies to known computers and sessions', async () => {
		const {cli, env} = await setUp(
			json({...noMessages, id: 'a', name: 'box', providerType: 'byom', createdAt: 1_777_000_000_000}),
		);
		for (const name of ['computers', 'sessions']) {
			for (const id of ['a', 'b', 'c'])
				expect(await cli.run([name, 'add', id], {env})).toMatchObject({code: 0, stderr: ''});
			const list = async (...args: string[]) =>
				(await cli.run([name, 'list', ...args, '--json'], {env})).stdout.split('\n').slice(0, -1);
			expect(await list('--limit', '2')).toEqual((await list()).slice(0, 2));
		}
	});

	test('applies to every list of what this machine has', async () => {
		const {cli, env} = await setUp(json({}, 429, {'retry-after': '3600'}));
		for (const id of ['s-1', 's-2']) {
			await cli.run(['send', id, 'words', '--no-wait'], {env});
			await cli.run(['profiles', 'set', id, '--base-url', 'acme.example']);
		}
		await cli.run(['sessions', 'list'], {env: {...env, QUARTERDECK_BASE_URL: 'http://127.0.0.1:9'}});
		for (const list of ['outbox list', 'profiles list', 'accounts list', 'keys']) {
			const all = await cli.run([...list.split(' '), '--json'], {env});
			expect(jsonLines(all.stdout).length, list).toBeGreaterThan(1);
			const {code, stdout} = await cli.run([...list.split(' '), '--limit', '1', '--json'], {env});
			expect({code, stdout}, list).toEqual({code: 0, stdout: `${all.stdout.split('\n')[0]}\n`});
		}
	});

	test('counts rows for usage', async () => {
		const day = (date: string) => ({date, sessions: 1});
		const days = ['2026-02-01', '2026-02-02', '2026-02-03'].map(day);
		const {cli, env} = await setUp(json({data: days, meta: {}}));
		const range = ['--from', '2026-02-01', '--to', '2026-02-03'];
		const {code, stdout} = await cli.run(['usage', 'activity', ...range, '--limit', '2', '--csv'], {env});
		expect(code).toBe(0);
		expect(csvRows(stdout)).toMatchObject([{date: '2026-02-01'}, {date: '2026-02-02'}]);
	});
});

test.each([
	['all', []],
	['of a role', ['--role', 'user']],
])("messages that can't be read are counted: %s", async (_, flags) => {
	const messages = [{id: 'm1', content: [{text: 'readable'}]}, {id: ''}, 'nothing'];
	const {cli, env} = await setUp((response, request) => {
		const isOther = !['user', undefined].includes(request.query.role);
		json(isOther ? noMessages : {messages, pagination: {hasMore: false}})(response, request);
	});
	const result = await cli.run(['messages', 's', ...flags], {env});
	expect(result).toMatchObject({code: 1, stdout: expect.stringContaining('readable')});
	expect(result.stderr).toContain('2 items could not be read');
});

describe('finding nothing exits with 4', () => {
	test.each([
		['a filter of users', ['users', '--filter', 'nobody'], pages(3)],
		['a repository', ['readiness', '--repo', 'x'], json({reports: []})],
		['a role', ['messages', 's', '--role', 'tool'], json({messages: [], pagination: {hasMore: false}})],
		['an id to forget', ['sessions', 'forget', 'x'], json({})],
		['a session in the outbox', ['outbox', 'list', '--session', 'x'], json({})],
		['a profile to remove', ['profiles', 'remove', 'x', '--yes'], json({})],
		['an id at the service', ['sessions', 'get', 'x'], json({}, 404)],
	])('%s', async (_, args, reply) => {
		const {cli, env} = await setUp(reply);
		const result = await cli.run(args, {env});
		expect(result).toMatchObject({code: 4, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
	});

	test.each([
		['users', 'no users'],
		['sessions list', 'no sessions are known here yet: add one with quarterdeck sessions add ID'],
		['outbox list', 'no unsent messages'],
		['events', 'no hook events yet'],
	])("but a list that is empty without a filter isn't a failure, and says so: %s", async (command, words) => {
		const {cli, env} = await setUp(pages(0));
		const {code, stdout, stderr} = await cli.run([...command.split(' '), '--json'], {env});
		expect({code, stdout}).toEqual({code: 0, stdout: ''});
		expect(stderr).toMatch(oneLine);
		expect(stderr).toContain(words);
	});

	test('and so is the empty outbox of a known session', async () => {
		const {cli, server, env} = await setUp(json({...noMessages}));
		await cli.run(['sessions', 'add', 'known'], {env});
		server.otherwise(json({messageId: 'm-1'}));
		await cli.run(['send', 'posted', 'words'], {env});
		await cli.run(['sessions', 'forget', 'posted'], {env});
		for (const id of ['known', 'posted'])
			expect(await cli.run(['outbox', 'list', '--session', id], {env})).toEqual({
				code: 0,
				stdout: '',
				stderr: 'quarterdeck: no unsent messages\n',
			});
	});
});

describe('a full disk', () => {
	const fullDisk = ({cli, env}: ServedCommands, command: string) =>
		cli.run(command.split(' '), {env, outputFails: 'ENOSPC'});

	test.each(['users --json', 'users', 'completion bash', 'help send'])(
		'ends %s with 1 and one line',
		async command => {
			const setup = await setUp(pages(300));
			const {code, stdout, stderr} = await fullDisk(setup, command);
			expect({code, stdout}).toEqual({code: 1, stdout: ''});
			expect(stderr).toBe("quarterdeck: stdout can't be written (disk full): the output is incomplete\n");
			expect(setup.server.requests.length).toBeLessThanOrEqual(1);
		},
	);

	const settled = json({id: 'c-7', sessionId: 's-7', messageId: 'm-7', name: 'n', providerType: 'byom'});
	test.each([
		['send s-7 words', 'the message m-7 was sent: see quarterdeck messages s-7'],
		['computers create --name n --remote-user u', 'the computer c-7 was created'],
		['sessions create --computer-id c-7 --json', 'the session s-7 was created'],
		['computers install-deps c-7 --json', 'the computer c-7 installs its dependencies again'],
	])('does not hide that %s was done', async (command, done) => {
		const {code, stdout, stderr} = await fullDisk(await setUp(settled), command);
		expect({code, stdout}).toEqual({code: 1, stdout: ''});
		expect(stderr).toBe(
			`quarterdeck: ${done}\nquarterdeck: stdout can't be written (disk full): the output is incomplete\n`,
		);
	});

	test('does not hide what became of a message that was sent again or discarded', async () => {
		const all = await setUp(json({error: 'no'}, 422));
		const {cli, server, env} = all;
		const refused = async (words: string) => {
			server.otherwise(json({error: 'no'}, 422));
			await cli.run(['send', 's-7', words], {env});
			server.otherwise(settled);
			const [item] = jsonLines((await cli.run(['outbox', 'list', '--json'], {env})).stdout);
			return String(item?.id);
		};
		for (const [verb, done] of [
			['resend', 'is accepted'],
			['discard', 'was discarded'],
		] as const) {
			const id = await refused(verb);
			const {code, stdout, stderr} = await fullDisk(all, `outbox ${verb} ${id}`);
			expect({verb, code, stdout}).toEqual({verb, code: 1, stdout: ''});
			expect(stderr).toBe(
				`quarterdeck: the message ${id} ${done}\nquarterdeck: stdout can't be written (disk full): the output is incomplete\n`,
			);
		}
	});
});

test('a computer whose provisioning seems not to go on needs the user in the list, too', async () => {
	const startedAt = Date.now() - 61 * 60_000;
	const step = {id: '1', name: 'clone', status: 'running', startedAt};
	const computer = {id: 'c-1', name: 'box', status: 'provisioning', provisioningSteps: [step]};
	const {cli, env} = await setUp(json(computer));
	await cli.run(['computers', 'get', 'c-1'], {env});
	const {stdout} = await cli.run(['computers', 'list', '--json'], {env});
	expect(jsonLines(stdout)).toMatchObject([{quarterdeck: {state: 'provisioning', needsYou: true}}]);
});
