import {join} from 'node:path';
import {DatabaseSync} from 'node:sqlite';
import {expect, test} from 'vitest';
import {reportsOf} from '../../../src/api/pages.ts';
import {commitAll, createRepository, packageFiles, writeFiles} from '../../support/git-repository.ts';
import {startTestService} from '../../support/local-service.ts';
import {replayAgents} from '../../support/replayed-agents.ts';
import {createSession, whenIdle, whenSettled} from '../../support/sessions.ts';

const yesterday = () => new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);

/** Makes what happened today have happened yesterday, the last day that analytics tell. */
function moveBackOneDay(folder: string): void {
	const database = new DatabaseSync(join(folder, 'service.sqlite'), {timeout: 5000});
	database.exec(`
		UPDATE token_usage SET at = at - 86400000;
		UPDATE messages SET created_at = created_at - 86400000;
		UPDATE sessions SET created_at = created_at - 86400000;
	`);
	database.close();
}

test('counts messages and sessions by day; days without records have no row', async () => {
	const {service, folder} = await startTestService();
	const sessionId = await createSession(service);
	for (let n = 0; n < 3; n++) await service.messages.add(sessionId, {text: `echo ${n}`});
	await whenIdle(service, sessionId);
	moveBackOneDay(folder);

	const date = yesterday();
	const range = {startDate: '2026-01-14', endDate: date};
	const users = await service.analytics.users(range);
	expect(users.hasMore).toBe(false);
	expect(users.meta).toMatchObject({start_date: '2026-01-14', end_date: date});
	expect(users.rows).toMatchObject([
		{date, sessions: 1, messages: 6, user_messages: 3, assistant_messages: 3},
	]);
	const [user] = (await service.users.list()).items;
	expect(users.rows[0]?.user_id).toBe(user?.id);
	expect((await service.analytics.users({...range, cursor: user?.id ?? ''})).rows).toEqual([]);
	expect((await service.analytics.users({startDate: '2026-01-14', endDate: '2026-01-31'})).rows).toEqual([]);
	for (const family of ['tokens', 'tools', 'activity', 'productivity'] as const)
		expect((await service.analytics[family](range)).rows).toEqual([]);
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
