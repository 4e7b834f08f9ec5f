import {DatabaseSync} from 'node:sqlite';
import {describe, expect, onTestFinished, test} from 'vitest';
import {addDays, utcDayOf} from '../../src/domain/time.ts';
import {daysIn} from '../../src/domain/usage/range.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {type CliResult, jsonLines, oneLine} from '../support/cli.ts';
import {type Commands, commandsAt} from '../support/commands.ts';
import {csvRows} from '../support/csv.ts';
import {type FaultServer, startFaultServer} from '../support/fault-server.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {createOrganization} from '../support/organization.ts';
import {organizationReply} from '../support/organization-server.ts';
import {json, silence} from '../support/replies.ts';

const key = 'k-0123456789';
const secret = 'c4n4ry-s3cr3t';
const yesterday = addDays(utcDayOf(Date.now()), -1);
const range = {startDate: addDays(yesterday, -19), endDate: yesterday};
const dates = ['--from', range.startDate, '--to', range.endDate];
const organization = createOrganization({users: 30, range, seed: 5, missing: 0.1, unattributed: 0.1});

type Setup = {
	readonly server: FaultServer;
	readonly cli: Commands;
	run(...args: string[]): Promise<CliResult>;
};

async function setUp(): Promise<Setup> {
	const cli = commandsAt(temporaryFolder());
	const server = await startFaultServer();
	onTestFinished(() => server.close());
	const env = {QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: key};
	return {server, cli, run: (...args) => cli.run(args, {env})};
}

/** A day's row of each family with every field of the contract, and no number twice. */
const wholeRows = {
	tokens: {
		date: yesterday,
		...numbered('billable_tokens input_tokens output_tokens cache_read_tokens cache_write_tokens'),
		by_model: [{model_id: 'm', model_tier: 'standard', ...numbered('billable_tokens')}],
		by_user: [{user_id: 'u', user_email: 'u@example.org', ...numbered('billable_tokens')}],
	},
	tools: {
		date: yesterday,
		...numbered('tool_calls mcp_users_with_mcp skills_invocations slash_commands_invocations'),
		...numbered('hooks_invocations web_users autonomy_ratio_avg autonomy_ratio_p50 autonomy_ratio_p90', 20),
		...numbered('tool_calls_per_session_avg user_turns_per_session_avg', 30),
		tool_autonomy_level_ratio: numbered('auto_high auto_medium auto_low manual', 40),
		by_tool: [{tool: 'Read', invocations: 50}],
		mcp_by_server: [{server: 'docs, "old"', invocations: 51}],
		skills_by_name: [{name: 'review', count: 52}],
		slash_commands_by_name: [{name: 'compact', count: 53}],
		hooks_by_event: [{event: 'Stop', matcher: 'Edit', command: 'notify', count: 54}],
	},
	activity: {
		date: yesterday,
		...numbered(
			'daily_active_users weekly_active_users monthly_active_users sessions messages user_messages',
		),
		daily_active_users_by_client: {web: 20},
	},
	productivity: {
		date: yesterday,
		...numbered('files_created files_edited git_commits git_prs_created'),
		by_extension: [{extension: '.go', count: 21}],
		by_language: [{language: 'Go', count: 20}],
	},
	users: {
		date: yesterday,
		user_id: 'u',
		user_email: null,
		...numbered('tool_calls billable_tokens files_created files_edited git_commits git_prs_created'),
		...numbered('mcp_calls skill_calls slash_commands hooks sessions messages user_messages', 20),
		...numbered('assistant_messages autonomy_ratio', 30),
		primary_model: 'm',
		primary_model_tier: 'thinking',
		delegation_level: 'auto-low',
		languages: ['Go', 'Rust'],
	},
};

/** Fields of these names, each with another number. */
function numbered(names: string, from = 10): Record<string, number> {
	return Object.fromEntries(names.split(' ').map((name, index) => [name, from + index + 0.5]));
}

/** What CSV has of a row: every field, breakdowns as JSON. */
function cellsOf(row: object): Record<string, string> {
	const {tool_autonomy_level_ratio: levels = {}, ...fields} = row as {tool_autonomy_level_ratio?: object};
	return Object.fromEntries(
		Object.entries<unknown>({...fields, ...levels}).flatMap(([name, value]): [string, string][] => {
			if (name === 'languages') return [[name, (value as string[]).join(' ')]];
			if (value === null) return [[name, '']];
			return [[name, typeof value === 'object' ? JSON.stringify(value) : String(value)]];
		}),
	);
}

describe('usage of a generated organization', () => {
	test('of a month is that of its days, up to yesterday', async () => {
		const {server, run} = await setUp();
		server.otherwise(organizationReply(organization));
		await run('usage', 'tokens', '--month', '2026-02');
		await run('usage', 'tokens', '--month', yesterday.slice(0, 7));
		expect(server.requests.map(({query}) => [query.startDate, query.endDate])).toEqual([
			['2026-02-01', '2026-02-28'],
			[`${yesterday.slice(0, 7)}-01`, yesterday],
		]);
	});

	test('is printed as the service reports it, and requested once', async () => {
		const {server, run} = await setUp();
		server.otherwise(organizationReply(organization));
		for (const family of ['tokens', 'tools', 'activity', 'productivity'] as const) {
			const result = await run('usage', family, ...dates, '--json');
			const days = organization[family]();
			expect(result.code).toBe(0);
			expect(jsonLines(result.stdout)).toEqual(days);
			const unknown = daysIn(range).filter(day => !days.some(({date}) => date === day));
			expect(unknown.length).toBeGreaterThan(0);
			expect(result.stderr).toMatch(
				new RegExp(`^quarterdeck: no data for .*${unknown[0]}.*: unknown, not zero\n$`),
			);
		}
		expect(server.requests).toHaveLength(4);
		await run('usage', 'tokens', ...dates);
		expect(server.requests.at(-1)?.query).toEqual({startDate: addDays(yesterday, -2), endDate: yesterday});
	});

	test('of users names the days that nothing is known of, not those on which nobody was active', async () => {
		const {server, run} = await setUp();
		const [known = '', quiet = '', unknown = ''] = [-2, -1, 0].map(days => addDays(yesterday, days));
		const activity = [known, quiet].map((date, index) => ({date, daily_active_users: 1 - index}));
		server.otherwise((response, request) => {
			const data = request.path.endsWith('/activity') ? activity : [{date: known, user_id: 'u', sessions: 1}];
			return json({data, meta: {}})(response, request);
		});
		const {stderr} = await run('usage', 'users', '--from', known, '--to', unknown, '--json');
		expect(stderr).toBe(`quarterdeck: no data for ${unknown}: unknown, not zero\n`);
	});

	test.each(Object.entries(wholeRows))(
		'of %s: CSV has every field of JSON, and the organization',
		async (family, row) => {
			const {server, run} = await setUp();
			server.otherwise((response, request) =>
				json({data: request.path.endsWith(`/${family}`) ? [row] : [], meta: {org_id: 'o'}})(
					response,
					request,
				),
			);
			const days = ['--from', yesterday, '--to', yesterday];
			expect(jsonLines((await run('usage', family, ...days, '--json')).stdout)).toEqual([row]);
			const csv = await run('usage', family, ...days, '--csv');
			expect(csv).toMatchObject({code: 0, stderr: ''});
			expect(csvRows(csv.stdout)).toMatchObject([{...cellsOf(row), org_id: 'o'}]);
			expect((await run('usage', family, ...days)).stdout).not.toMatch(/BY |ORG ID/);
		},
	);

	test('is a table for people, without days that have no row', async () => {
		const {server, run} = await setUp();
		server.otherwise(organizationReply(organization));
		const lines = (await run('usage', 'activity', ...dates)).stdout.trimEnd().split('\n');
		expect(lines[0]).toMatch(/^DATE \(UTC\) +ACTIVE +WEEKLY/);
		expect(lines.slice(1).map(line => line.slice(0, 10))).toEqual(
			organization.activity().map(row => row.date),
		);
	});

	test('without dates covers 30 days up to yesterday', async () => {
		const {server, run} = await setUp();
		server.otherwise(organizationReply(organization));
		expect((await run('usage', 'tools', '--json')).code).toBe(0);
		expect(server.requests.map(({query}) => query)).toEqual([
			{startDate: addDays(yesterday, -29), endDate: yesterday},
		]);
	});

	test('is shown even if nothing can be saved', async () => {
		const {server, cli, run} = await setUp();
		server.otherwise(organizationReply(organization));
		await run('computers', 'add', 'c-1');
		const newer = new DatabaseSync(onlyAccountFile(cli.stateFolder));
		newer.exec('PRAGMA user_version = 99');
		newer.close();
		for (const family of ['activity', 'users']) {
			const result = await run('usage', family, ...dates, '--json');
			expect(result).toMatchObject({code: 0, stderr: expect.stringMatching(/nothing will be saved/)});
			expect(jsonLines(result.stdout).length).toBeGreaterThan(0);
		}
	});

	test('ends with an interrupt', async () => {
		const {server, cli} = await setUp();
		server.answer(organizationReply(organization));
		server.otherwise(silence());
		const env = {QUARTERDECK_BASE_URL: server.url, QUARTERDECK_API_KEY: key};
		const reading = cli.start(['usage', 'users', ...dates, '--json'], {env});
		await server.asked(2);
		reading.interrupt();
		expect(await reading.ended).toMatchObject({code: 130, stdout: '', stderr: ''});
	});

	test('by group is requested as a group', async () => {
		const {server, run} = await setUp();
		const rows = [
			{date: yesterday, group_key: 'model-x', billable_tokens: 5, input_tokens: 2, output_tokens: 1},
		];
		server.otherwise(json({data: rows, meta: {org_id: 'org-of-ours'}}));
		const grouped = await run('usage', 'tokens', '--group-by', 'model', '--csv');
		expect(grouped.stdout).toBe(
			`date,group_key,billable_tokens,input_tokens,output_tokens,org_id\n${yesterday},model-x,5,2,1,org-of-ours\n`,
		);
		expect(server.requests[0]?.query.group_by).toBe('model');
		const table = await run('usage', 'tokens', '--group-by', 'model');
		expect(table.stdout).toMatch(/^DATE \(UTC\) +GROUP KEY +CREDITS +INPUT +OUTPUT\n/);
		const wrong = await run('usage', 'tokens', '--group-by', 'client');
		expect(wrong).toMatchObject({code: 2, stdout: '', stderr: expect.stringMatching(oneLine)});
	});

	test.each([['tokens', '--group-by', 'model'], ['tokens'], ['users']])(
		'%s %s %s: a table without rows is no silent one',
		async (...words) => {
			const {server, run} = await setUp();
			server.otherwise(json({data: [], meta: {}}));
			const {stdout, stderr} = await run('usage', ...words, '--csv', '--from', yesterday);
			expect(stdout).toMatch(/^date,.*\n$/);
			expect(stderr).toContain(`no data for ${yesterday}: unknown, not zero`);
		},
	);

	test('shows no secret of a hook command', async () => {
		const {server, run} = await setUp();
		const command = `notify --token ${secret}`;
		const hooks = [{event: 'Stop', command, count: 1}];
		server.otherwise(
			json({data: [{date: yesterday, hooks_invocations: 1, hooks_by_event: hooks}], meta: {}}),
		);
		for (const format of ['--json', '--csv']) {
			const {stdout} = await run('usage', 'tools', format);
			expect(stdout).toContain('notify --token ***');
			expect(stdout).not.toContain(secret);
		}
	});
});

describe('mistakes that the client can see are refused before anything is sent', () => {
	const today = utcDayOf(Date.now());
	test.each([
		["today's date", ['--to', today], /the last day available \(UTC\)/],
		['before the history', ['--from', '2026-01-13'], /--from: .*2026-01-14/],
		['the wrong way round', ['--from', '2026-03-02', '--to', '2026-03-01'], /--from: .* is after/],
		['no month', ['--month', '2026-13'], /--month: 2026-13 is not a month, YYYY-MM/],
		['a month and a day', ['--month', '2026-02', '--to', today], /--month and --to can't be used together/],
		['both formats', ['--csv', '--json'], /--csv and --json can't be used together/],
	])('%s', async (_, args, problem) => {
		const {server, run} = await setUp();
		const result = await run('usage', 'tokens', ...args);
		expect(result).toMatchObject({code: 2, stdout: ''});
		expect(result.stderr).toMatch(oneLine);
		expect(result.stderr).toMatch(problem);
		expect(server.requests).toHaveLength(0);
	});
});

describe('the service says no', () => {
	const forbidden = json({title: 'Forbidden', detail: 'Manager or Owner required', status: 403}, 403);
	test.each([['usage', 'tokens'], ['usage', 'users'], ['readiness'], ['controls'], ['users']])(
		'to a role: %s %s',
		async (...args) => {
			const {server, run} = await setUp();
			server.otherwise(forbidden);
			const result = await run(...args);
			expect(result).toMatchObject({code: 3, stdout: ''});
			expect(result.stderr).toMatch(oneLine);
			expect(result.stderr).toMatch(/Manager or Owner required/);
			expect(result.stderr).not.toContain(key);
		},
	);

	test.each([
		[['users'], {users: [{id: 'u1'}, 5], pagination: {hasMore: false}}],
		[['controls'], {changes: [{revision: 3, settings: {}}, 5], pagination: {hasMore: false}}],
		[['readiness'], {reports: [{reportId: 'r1', repoId: 'x'}, 5]}],
		[['usage', 'tools'], {data: [{date: yesterday, tool_calls: 1}, 5], meta: {}}],
	] as const)(
		'with an item that cannot be read: %j prints the others, says so, and fails',
		async (args, body) => {
			const {server, run} = await setUp();
			server.otherwise(json(body));
			const result = await run(...args, '--json');
			expect({code: result.code, rows: jsonLines(result.stdout).length}).toEqual({code: 1, rows: 1});
			expect(result.stderr).toMatch(
				/^(?:[^\n]*no data for[^\n]*\n)?quarterdeck: \d items? could not be read[^\n]*\n$/,
			);
		},
	);

	test.each([
		['usage', 'activity', '--json'],
		['usage', 'activity', '--group-by', 'client', '--json'],
		['usage', 'users', '--json'],
	])('with an answer about other days: %j', async (...args) => {
		const {server, run} = await setUp();
		const [from, to] = [addDays(yesterday, -3), addDays(yesterday, -1)];
		const row = {date: to, user_id: 'u', group_key: 'web', daily_active_users: 1};
		server.otherwise(json({data: [row], meta: {start_date: from, end_date: to}}));
		const result = await run(...args, '--from', addDays(yesterday, -5), '--to', yesterday);
		expect(result.code).toBe(1);
		expect(result.stderr).toContain(
			`asked for ${addDays(yesterday, -5)} to ${yesterday}, the service answered for ${from} to ${to}`,
		);
	});

	test('with rows that never end: what arrived is printed, and the command fails', async () => {
		const {server, run} = await setUp();
		const row = {user_id: 'u1', date: yesterday, sessions: 1};
		server.otherwise(json({data: [row, 5], meta: {has_more: true, next_cursor: 'u1'}}));
		const result = await run('usage', 'users', '--json');
		expect(result.code).toBe(1);
		expect(jsonLines(result.stdout)).toEqual([{...row, user_email: null}]);
		expect(result.stderr).toMatch(/could not be read[^\n]*\n[^\n]*repeats a cursor/);
	});
});

describe('readiness', () => {
	const report = (
		reportId: string,
		createdAt: number,
		numerator: number,
		repoUrl = 'https://host.example/team/app',
	) => ({
		reportId,
		createdAt,
		repoUrl,
		apps: {},
		report: {
			tests: {numerator, denominator: 2, rationale: 'two apps'},
			docs: {numerator: 9, denominator: 1, rationale: '=x'},
		},
	});
	const reports = [
		report('r3', 1_790_000_003_000, 0, `https://me:${secret}@host.example/team/other.git`),
		{
			...report('r2', 1_790_000_002_000, 2),
			...{branch: 'main', commitHash: 'c0ffee', hasLocalChanges: true, hasNonRemoteCommits: false},
			...{modelUsed: {id: 'm', reasoningEffort: 'low'}, agentVersion: '1.2.3'},
		},
		report('r1', 1_790_000_001_000, 1),
	];

	test('lists reports, the newest of each, and the criteria of one', async () => {
		const {server, run} = await setUp();
		server.otherwise((response, request) => {
			const {startAfter, limit} = request.query;
			const from =
				startAfter === undefined ? 0 : reports.findIndex(({reportId}) => reportId === startAfter) + 1;
			return json({reports: reports.slice(from, from + Math.min(2, Number(limit)))})(response, request);
		});
		const all = jsonLines((await run('readiness', '--json')).stdout);
		expect(all.map(({reportId}) => reportId)).toEqual(['r3', 'r2', 'r1']);
		expect(all[1]).toMatchObject({
			quarterdeck: {repository: 'host.example/team/app', passed: 2, of: 2, share: 1},
		});
		expect(JSON.stringify(all)).not.toContain(secret);

		const latest = jsonLines((await run('readiness', '--latest', '--json')).stdout);
		expect(latest.map(({reportId}) => reportId)).toEqual(['r3', 'r2']);
		expect(latest[1]).toMatchObject({quarterdeck: {change: 0.5}});
		const csv = (await run('readiness', '--csv')).stdout;
		expect(csv.split('\n')).toEqual([
			'report_id,repository,share,passed,of,created_at,branch,commit,local_changes,unpushed,model,reasoning_effort,agent_version',
			'r3,https://***@host.example/team/other.git,0.5,1,2,2026-09-21T14:13:23.000Z,,,,,,,',
			'r2,https://host.example/team/app,1,2,2,2026-09-21T14:13:22.000Z,main,c0ffee,true,false,m,low,1.2.3',
			'r1,https://host.example/team/app,0.5,1,2,2026-09-21T14:13:21.000Z,,,,,,,',
			'',
		]);
		const changes = csvRows((await run('readiness', '--latest', '--csv')).stdout);
		expect(changes).toMatchObject([
			{report_id: 'r3', change: ''},
			{report_id: 'r2', change: '0.5'},
		]);
		const table = (await run('readiness', '--latest')).stdout;
		expect(table).toMatch(/r3 +host\.example\/team\/other +50 % +1\/2/);

		const criteria = await run('readiness', '--repo', 'app-1', '--latest', '--csv');
		expect(criteria.stdout).toBe(
			'criterion,state,numerator,denominator,rationale\n' +
				'tests,fail,0,2,two apps\ndocs,pass (odd numbers),1,1,"\'=x"\n',
		);
		expect(server.requests.at(-1)?.query).toEqual({repoId: 'app-1', limit: '1'});
	});

	test('of an unknown repository is not found', async () => {
		const {server, run} = await setUp();
		server.otherwise(json({reports: []}));
		expect(await run('readiness', '--repo', 'x')).toMatchObject({
			code: 4,
			stdout: '',
			stderr: expect.stringMatching(oneLine),
		});
	});
});

describe('controls', () => {
	const user = {id: 'u1', email: 'boss@example.org', name: 'Boss'};
	const model = (apiKey: string) => ({
		id: 'm1',
		apiKey,
		extraHeaders: {'X-Key': apiKey},
		baseUrl: 'https://m.example',
	});
	const changes = [
		{
			revision: 3,
			settings: {commandDenylist: ['rm', 'dd'], customModels: [model(`${secret}-2`)]},
			user,
			updatedAt: '2026-03-03T00:00:00Z',
		},
		{
			revision: 2,
			settings: {commandDenylist: ['dd', 'rm'], customModels: [model(secret)]},
			user,
			updatedAt: '2026-03-02T00:00:00Z',
		},
		{revision: 1, settings: {commandDenylist: ['dd']}, user, updatedAt: '2026-03-01T00:00:00Z'},
	];

	test('tell what changed, who changed it, and no secret', async () => {
		const {server, run} = await setUp();
		server.answer(
			json({changes: changes.slice(0, 2), pagination: {hasMore: true, nextCursor: 'c1'}}),
			json({changes: changes.slice(2), pagination: {hasMore: false, nextCursor: null}}),
		);
		const listed = await run('controls', '--json');
		expect(listed).toMatchObject({code: 0, stderr: ''});
		expect(listed.stdout).not.toContain(secret);
		expect(
			jsonLines(listed.stdout).map(one => (one.quarterdeck as {changes: object[]}).changes),
		).toMatchObject([
			[
				{path: ['customModels', 'm1', 'apiKey'], kind: 'changed', before: '***', after: '***'},
				{path: ['customModels', 'm1', 'extraHeaders', 'X-Key'], before: '***', after: '***'},
			],
			[
				{path: ['commandDenylist'], kind: 'added', after: 'rm'},
				{path: ['customModels', 'm1'], kind: 'added'},
			],
			[{path: ['commandDenylist'], kind: 'added', after: 'dd'}],
		]);
	});

	test('say when one setting changed', async () => {
		const {server, run} = await setUp();
		server.otherwise(json({changes, pagination: {hasMore: false, nextCursor: ''}}));
		const {stdout} = await run('controls', '--setting', 'denylist', '--csv');
		expect(stdout).toBe(
			'revision,updated_at,user,user_id,setting,change,before,after\n' +
				'2,2026-03-02T00:00:00Z,boss@example.org,u1,commandDenylist,added,,rm\n' +
				'1,2026-03-01T00:00:00Z,boss@example.org,u1,commandDenylist,added,,dd\n',
		);
		expect((await run('controls')).stdout).not.toContain(secret);
	});

	test('tell the settings in force, since when and by whom', async () => {
		const {server, run} = await setUp();
		server.otherwise(json({changes, pagination: {hasMore: false, nextCursor: ''}}));
		const {code, stdout} = await run('controls', '--in-force', '--csv');
		expect(code).toBe(0);
		expect(stdout.split('\n')).toMatchObject([
			'setting,value,is_default,since,since_revision,maybe_earlier,user,user_id,last_revision',
			'commandDenylist,"[""dd"",""rm""]",false,2026-03-02T00:00:00Z,2,false,boss@example.org,u1,3',
			expect.stringMatching(/^customModels,.*,false,2026-03-03T00:00:00Z,3,false,boss@example.org,u1,3$/),
			'mcpPolicy.enabled,false,true,,,false,,,',
			'missionPolicy.restrictedAccess,false,true,,,false,,,',
			'',
		]);
		expect(stdout).not.toContain(secret);
		const [one] = jsonLines((await run('controls', '--in-force', '--setting', 'denylist', '--json')).stdout);
		expect(one).toMatchObject({setting: 'commandDenylist', value: ['dd', 'rm'], since_revision: 2});
	});
});

describe('users', () => {
	test('are listed once each, filtered, and no formula reaches a spreadsheet', async () => {
		const {server, run} = await setUp();
		server.otherwise(organizationReply(organization));
		const all = jsonLines((await run('users', '--json')).stdout);
		expect(all).toEqual(organization.users);
		expect(csvRows((await run('users', '--csv')).stdout)).toEqual(
			organization.users.map(({id, email = '', createdAt = '', lastSignInAt = ''}) => ({
				...{id, email, name: '', metadata: ''},
				created_at: createdAt.replace('Z', '.000Z'),
				last_sign_in_at: lastSignInAt.replace('Z', '.000Z'),
			})),
		);
		const some = jsonLines((await run('users', '--filter', 'PERSON1@', '--json')).stdout);
		expect(some.map(({id}) => id)).toEqual(['user-000001']);

		const hostile = {
			id: '=HYPERLINK("http://x")',
			email: '+1@example.org',
			firstName: '@SUM(1)',
			metadata: {apiToken: secret},
		};
		server.otherwise(json({users: [hostile], pagination: {hasMore: false}}));
		const csv = (await run('users', '--csv')).stdout;
		expect(csv).toBe(
			'email,last_sign_in_at,created_at,name,id,metadata\n' +
				'"\'+1@example.org",,,"\'@SUM(1)","\'=HYPERLINK(""http://x"")","{""apiToken"":""***""}"\n',
		);
		expect((await run('users', '--json')).stdout).not.toContain(secret);
	});
});
