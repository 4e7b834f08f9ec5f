import {rmSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {reportsOf} from '../../../src/api/pages.ts';
import {eventually} from '../../support/eventually.ts';
import {commitAll, createRepository, packageFiles, writeFiles} from '../../support/git-repository.ts';
import {startTestService} from '../../support/local-service.ts';
import {replayAgents} from '../../support/replayed-agents.ts';
import {createSession, whenIdle, whenSettled} from '../../support/sessions.ts';

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** Makes what happened today have happened yesterday, the last day that analytics tell. */
function moveBackOneDay(folder: string): void {
	const database = new DatabaseSync(join(folder, 'service.sqlite'), {timeout: 5000});
	database.exec(`
		UPDATE commands SET at = at - 86400000;
		UPDATE token_usage SET at = at - 86400000;
		UPDATE messages SET created_at = created_at - 86400000;
		UPDATE sessions SET created_at = created_at - 86400000;
		UPDATE file_changes SET date = date(date, '-1 day');
		UPDATE commits SET date = date(date, '-1 day');
	`);
	database.close();
}

function countRows(folder: string, table: string): number {
	const database = new DatabaseSync(join(folder, 'service.sqlite'), {readOnly: true, timeout: 5000});
	const count = database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.n;
	database.close();
	return Number(count);
}

test('productivity counts the files and commits that turns really made', async () => {
	const {service, folder} = await startTestService();
	const {url} = createRepository({...packageFiles(), 'src/old.ts': 'old\n'});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me', repos: [url]});
	await whenSettled(service, id);
	const {sessionId} = await service.sessions.create({computerId: id});
	const commit = 'git -c user.name=T -c user.email=t@example.org commit --quiet -m more';
	for (const text of [
		'echo new > src/new.ts; echo more >> src/old.ts',
		`echo note > notes.md; git add notes.md; ${commit}`,
		'rm package.json',
	])
		await service.messages.add(sessionId, {text});
	await whenIdle(service, sessionId);

	// What a turn left behind is measured after its end.
	await eventually(() => expect(countRows(folder, 'file_changes') + countRows(folder, 'commits')).toBe(4));
	moveBackOneDay(folder);

	const range = {startDate: yesterday(), endDate: yesterday()};
	const {rows: productivity} = await service.analytics.productivity(range);
	expect(productivity).toMatchObject([{files_created: 2, files_edited: 1, git_commits: 1}]);
	expect(productivity[0]).toMatchObject({
		date: range.startDate,
		by_extension: [
			{extension: '.ts', count: 2},
			{extension: '.md', count: 1},
		],
		by_language: [
			{language: 'TypeScript', count: 2},
			{language: 'Markdown', count: 1},
		],
	});
});

test('counts commands, messages and sessions by day; days without records have no row', async () => {
	const {service, folder} = await startTestService();
	const sessionId = await createSession(service);
	for (let n = 0; n < 3; n++) await service.messages.add(sessionId, {text: `echo ${n}`});
	await whenIdle(service, sessionId);
	moveBackOneDay(folder);

	const date = yesterday();
	const range = {startDate: '2026-01-14', endDate: date};
	const tools = await service.analytics.tools(range);
	expect(tools.rows).toEqual([
		{
			date,
			tool_calls: 3,
			by_tool: [{tool: 'sh', invocations: 3}],
			user_turns_per_session_avg: 3,
			tool_calls_per_session_avg: 3,
			autonomy_ratio_avg: 1,
			autonomy_ratio_p50: 1,
			autonomy_ratio_p90: 1,
		},
	]);
	expect(tools.meta).toMatchObject({start_date: '2026-01-14', end_date: date});
	expect((await service.analytics.tools({...range, groupBy: 'tool_name'})).rows).toEqual([
		{date, group_key: 'sh', tool_calls: 3},
	]);
	expect((await service.analytics.activity(range)).rows).toMatchObject([
		{
			date,
			daily_active_users: 1,
			weekly_active_users: 1,
			monthly_active_users: 1,
			sessions: 1,
			messages: 6,
			user_messages: 3,
		},
	]);
	expect((await service.analytics.tokens(range)).rows).toMatchObject([
		{date, billable_tokens: 0, by_model: []},
	]);
	expect((await service.analytics.tokens({...range, groupBy: 'model'})).rows).toEqual([]);

	const users = await service.analytics.users(range);
	expect(users.hasMore).toBe(false);
	expect(users.rows).toMatchObject([
		{
			date,
			tool_calls: 3,
			sessions: 1,
			messages: 6,
			user_messages: 3,
			assistant_messages: 3,
			billable_tokens: 0,
		},
	]);
	const [user] = (await service.users.list()).items;
	expect(users.rows[0]?.user_id).toBe(user?.id);
	expect((await service.analytics.users({...range, cursor: user?.id ?? ''})).rows).toEqual([]);
	expect((await service.analytics.activity({startDate: '2026-01-14', endDate: '2026-01-31'})).rows).toEqual(
		[],
	);
});

test("the tokens of an agent that doesn't report them are unknown, not zero", async () => {
	const {service, folder} = await startTestService({agent: 'cmd:cat'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'hello'});
	await whenIdle(service, sessionId);
	moveBackOneDay(folder);
	const range = {startDate: yesterday(), endDate: yesterday()};
	expect((await service.analytics.tokens(range)).rows).toEqual([]);
	const [tools] = (await service.analytics.tools(range)).rows;
	expect(tools).toMatchObject({tool_calls: 1, by_tool: [{tool: 'cat', invocations: 1}]});
	expect(tools).not.toHaveProperty('autonomy_ratio_avg');
	const [users] = (await service.analytics.users(range)).rows;
	expect(users).not.toHaveProperty('billable_tokens');
});

test('counts reported tokens by day, model and user, at the cost that the client reports', async () => {
	replayAgents({claude: ['claude-resumed']});
	const {service, folder} = await startTestService({agent: 'claude'});
	const sessionId = await createSession(service);
	await service.messages.add(sessionId, {text: 'second message'});
	await whenIdle(service, sessionId);
	moveBackOneDay(folder);
	const date = yesterday();
	const range = {startDate: date, endDate: date};
	const counts = {input_tokens: 1234, output_tokens: 42};
	const [row, ...others] = (await service.analytics.tokens(range)).rows;
	expect(others).toEqual([]);
	expect(row).toMatchObject({
		date,
		input_tokens: 1234,
		output_tokens: 42,
		cache_read_tokens: 5000,
		cache_write_tokens: 100,
		cost_usd: 0.010345,
		by_model: [{model_id: 'mock', ...counts, cost_usd: 0.010345}],
		by_user: [{...counts, by_model: [{model_id: 'mock', ...counts}]}],
	});
	const {sessionSettings} = await service.sessions.update(sessionId, {});
	expect(sessionSettings?.tokenUsage).toMatchObject({
		...{inputTokens: 1234, outputTokens: 42},
		...{models: ['mock'], costUsd: 0.010345},
	});
	expect(row).not.toHaveProperty('billable_tokens');
	expect((await service.analytics.tokens({...range, groupBy: 'model'})).rows).toEqual([
		{date, group_key: 'mock', ...counts, cost_usd: 0.010345},
	]);
});

test('there is one user, who stays the same after a restart', async () => {
	const first = await startTestService();
	const {items} = await first.service.users.list();
	expect(items).toHaveLength(1);
	expect(Date.parse(items[0]?.createdAt ?? '')).not.toBeNaN();
	await first.close();
	const second = await startTestService({folder: first.folder});
	expect((await second.service.users.list()).items).toEqual(items);
});

test('each new state of the settings file is a revision, newest first', async () => {
	const {service, folder} = await startTestService();
	const file = join(folder, 'settings.json');
	const revisions = async () =>
		(await service.controls.history()).items.map(({revision, settings}) => [revision, settings]);
	expect(await revisions()).toEqual([]);
	writeFileSync(file, '{"cloudSessionSync": true}');
	expect(await revisions()).toEqual([[1, {cloudSessionSync: true}]]);
	writeFileSync(file, '{ "cloudSessionSync":true }');
	expect(await revisions()).toHaveLength(1);
	writeFileSync(file, '{"cloudSessionSync": fal');
	expect(await revisions()).toHaveLength(1);
	writeFileSync(file, '{"cloudSessionSync": false}');
	expect(await revisions()).toHaveLength(2);
	rmSync(file);
	expect(await revisions()).toEqual([
		[3, {}],
		[2, {cloudSessionSync: false}],
		[1, {cloudSessionSync: true}],
	]);

	const newest = await service.controls.history({limit: 2});
	expect(newest.hasMore).toBe(true);
	const rest = await service.controls.history({limit: 2, cursor: newest.nextCursor ?? ''});
	expect(rest.items.map(({revision}) => revision)).toEqual([1]);
	expect(rest.hasMore).toBe(false);
	const {items} = await service.users.list();
	expect(rest.items[0]?.user?.id).toBe(items[0]?.id);
	expect(Date.parse(rest.items[0]?.updatedAt ?? '')).not.toBeNaN();
});

test('evaluates the readiness of each application, per commit and with local changes', async () => {
	const {service, folder} = await startTestService();
	const {url} = createRepository({
		...packageFiles({test: 'true'}),
		'services/api/pyproject.toml': '[tool.ruff]\nline-length = 100\n',
		'.github/workflows/ci.yml': 'on: push\n',
	});
	const {id} = await service.computers.create({name: 'box', remoteUser: 'me', repos: [url]});
	await whenSettled(service, id);

	const [report, ...others] = (await service.readiness.list()).items;
	expect(others).toEqual([]);
	expect(report).toMatchObject({
		repoUrl: url,
		branch: 'main',
		hasLocalChanges: false,
		hasNonRemoteCommits: false,
	});
	expect(report?.commitHash).toMatch(/^[\da-f]{40}$/);
	expect(Object.keys(report?.apps ?? {})).toEqual(['.', 'dep', 'services/api']);
	expect(report?.report).toMatchObject({
		readme: {numerator: 1, denominator: 1, rationale: 'README.md'},
		license: {numerator: 0, denominator: 1, rationale: 'missing: a license'},
		continuous_integration: {numerator: 1, denominator: 1},
		linter: {numerator: 1, denominator: 3},
	});

	const workspace = join(folder, 'computers', id, 'workspace/project');
	writeFiles(workspace, {LICENSE: 'MIT\n'});
	const changed = (await service.readiness.list()).items[0];
	expect(changed).toMatchObject({hasLocalChanges: true, commitHash: report?.commitHash});
	expect(changed?.report?.license?.numerator).toBe(1);
	commitAll(workspace, 'licence');
	const ids: string[] = [];
	for await (const page of reportsOf((query, options) => service.readiness.list(query, options), {limit: 1}))
		ids.push(...page.items.map(({reportId}) => reportId));
	expect(ids).toHaveLength(3);
	expect(ids.at(-1)).toBe(report?.reportId);
	const latest = await service.readiness.list({repoId: url, limit: 1});
	expect(latest.items[0]).toMatchObject({hasLocalChanges: false, hasNonRemoteCommits: true});
	expect((await service.readiness.list({repoId: 'https://example.org/other'})).items).toEqual([]);
});
