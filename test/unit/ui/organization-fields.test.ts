import {beforeAll, describe, expect, test} from 'vitest';
import {createHttpService} from '../../../src/api/http/http-client.ts';
import {Secret} from '../../../src/config/secret.ts';
import {memoryAnalytics} from '../../../src/db/analytics.ts';
import {systemClock} from '../../../src/domain/clock.ts';
import {addDays, utcDayOf} from '../../../src/domain/time.ts';
import {createOrganizationStore, type Organization} from '../../../src/state/organization/organization.ts';
import {
	firstOrganizationState,
	type OrganizationViewState,
} from '../../../src/state/organization/organization-view-state.ts';
import {createOrganizationReader} from '../../../src/sync/organization/organization-reader.ts';
import {lineText, lineWidth} from '../../../src/text/cells/line.ts';
import {safe} from '../../../src/text/cells/safe.ts';
import {pageJson, tableCsv} from '../../../src/text/values/export-text.ts';
import {type OrganizationPage, organizationPages} from '../../../src/ui/organization/organization-view.tsx';
import type {Page, PageContext} from '../../../src/ui/organization/page.ts';
import {strings} from '../../../src/ui/organization/strings.ts';
import {type Reply, startFaultServer} from '../../support/fault-server.ts';
import {json} from '../../support/replies.ts';

// Every field of a readiness report, a controls change, a user and the analytics rows is on the screen and in exports.

const yesterday = addDays(utcDayOf(Date.now()), -1);
const range = {startDate: addDays(yesterday, -1), endDate: yesterday};
const secret = 'sk-0123456789abcdef';

const model = {
	model_id: 'model-a',
	model_tier: 'tier-a',
	billable_tokens: 90_001,
	input_tokens: 71_002,
	output_tokens: 72_003,
};
const rows: Readonly<Record<string, object>> = {
	tokens: {
		billable_tokens: 100_004,
		input_tokens: 110_005,
		output_tokens: 120_006,
		cache_read_tokens: 130_007,
		cache_write_tokens: 140_008,
		by_model: [model, {model_id: 'model-c', billable_tokens: 1, input_tokens: 3, output_tokens: 4}],
		by_user: [
			{
				user_id: 'u-1',
				user_email: 'one@example.org',
				billable_tokens: 80_009,
				by_model: [{model_id: 'model-b', billable_tokens: 70_011}],
			},
		],
	},
	tools: {
		tool_calls: 2012,
		by_tool: [{tool: 'Execute', invocations: 1013}],
		mcp_users_with_mcp: 14,
		mcp_by_server: [{server: 'docs', invocations: 1015}],
		skills_invocations: 1116,
		skills_by_name: [{name: 'review', count: 1017}],
		slash_commands_invocations: 1218,
		slash_commands_by_name: [{name: 'compact', count: 1019}],
		hooks_invocations: 1321,
		hooks_by_event: [{event: 'Stop', matcher: 'Edit', command: `notify --token ${secret}`, count: 1022}],
		web_users: 23,
		autonomy_ratio_avg: 7.24,
		autonomy_ratio_p50: 5.25,
		autonomy_ratio_p90: 9.26,
		tool_calls_per_session_avg: 33.27,
		user_turns_per_session_avg: 4.28,
		tool_autonomy_level_ratio: {auto_high: 0.41, auto_medium: 0.29, auto_low: 0.19, manual: 0.11},
	},
	activity: {
		daily_active_users: 31,
		weekly_active_users: 52,
		monthly_active_users: 93,
		daily_active_users_by_client: {'terminal-ui': 24, web: 15},
		sessions: 434,
		messages: 4035,
		user_messages: 536,
	},
	productivity: {
		files_created: 137,
		files_edited: 238,
		by_extension: [{extension: '.ts', count: 239}],
		by_language: [{language: 'TypeScript', count: 241}],
		git_commits: 42,
		git_prs_created: 13,
	},
	users: {
		user_id: 'u-1',
		user_email: 'one@example.org',
		tool_calls: 1044,
		billable_tokens: 80_009,
		primary_model: 'model-p',
		primary_model_tier: 'tier-p',
		files_created: 145,
		files_edited: 246,
		git_commits: 47,
		git_prs_created: 48,
		mcp_calls: 149,
		skill_calls: 151,
		slash_commands: 152,
		hooks: 153,
		sessions: 54,
		messages: 1155,
		user_messages: 356,
		assistant_messages: 757,
		autonomy_ratio: 2.5,
		delegation_level: 'auto-medium',
		languages: ['Go', 'Rust'],
	},
};

const commit = '0123456789abcdef0123456789abcdef01234567';
const report = (index: number) => ({
	reportId: `report-${index}`,
	createdAt: Date.UTC(2026, 2, 10 - index, 8, 5, 6),
	repoUrl: `https://me:${secret}@host.example/acme/shop.git`,
	apps: {'apps/web': {description: 'the shop window'}},
	report: {[`criterion-${index}`]: {numerator: 1, denominator: 3, rationale: `two suites of ${index} fail`}},
	commitHash: commit,
	branch: `branch-${index}`,
	hasLocalChanges: true,
	hasNonRemoteCommits: false,
	modelUsed: {id: 'model-r', reasoningEffort: 'high'},
	agentVersion: '1.2.3',
});

const settings = {
	sessionDefaultSettings: {model: 'model-d', specModeModel: 'model-s'},
	mcpAutonomyOverrides: {docs: 'low'},
	cloudSessionSync: true,
	commandAllowlist: ['npm test'],
	customModels: [
		{model: 'own', apiKey: secret, baseUrl: 'https://models.example', extraHeaders: {'X-Key': secret}},
	],
	modelPolicy: {allowedModelIds: ['model-x'], allowCustomModels: false},
	sandbox: {enabled: true, network: {httpProxyPort: 8089}},
	sessionRetentionDays: 91,
};
const changes = [
	{
		revision: 7,
		settings: {...settings, sessionRetentionDays: 92, commandAllowlist: undefined},
		user: {id: 'user-7', email: 'boss@example.org', name: 'The Boss'},
		updatedAt: '2026-03-02T08:09:10Z',
	},
	{revision: 6, settings, user: {id: 'user-6', name: 'Someone'}, updatedAt: '2026-03-01T08:09:10Z'},
];
const users = [
	{
		id: 'u-1',
		email: 'one@example.org',
		createdAt: '2025-01-02T03:04:05Z',
		metadata: {team: 'payments', apiKey: secret},
		firstName: 'Ada',
		lastName: 'Byron',
		lastSignInAt: '2026-03-03T04:05:06Z',
	},
];

const reply: Reply = (response, request) => {
	const {path, query} = request;
	const end = {hasMore: false, nextCursor: null};
	const answer = () => {
		if (path.includes('maturity-level-reports'))
			return {reports: query.startAfter === undefined ? [report(0), report(1)] : []};
		if (path.includes('enterprise-controls')) return {changes, pagination: end};
		if (path.includes('/organization/users')) return {users, pagination: end};
		const row = rows[path.split('/').at(-1) ?? ''] ?? {};
		const data = [yesterday, addDays(yesterday, -1)]
			.filter(date => date >= (query.startDate ?? '') && date <= (query.endDate ?? ''))
			.map(date => ({date, ...row}));
		const meta = {
			org_id: 'org-of-ours',
			start_date: query.startDate,
			end_date: query.endDate,
			has_more: false,
		};
		return {data, meta};
	};
	return json(answer())(response, request);
};

let organization: Organization;

beforeAll(async () => {
	const server = await startFaultServer();
	server.otherwise(reply);
	const address = {baseUrl: server.url, appUrl: server.url, key: new Secret('k-0123456789')};
	const service = createHttpService({address, retries: 0});
	const store = createOrganizationStore();
	const reader = createOrganizationReader({service, analytics: memoryAnalytics(), store, clock: systemClock});
	for (const part of ['usage', 'people', 'readiness', 'controls', 'users'] as const) {
		const read = new Promise<void>(resolve => {
			const stop = store.subscribe(state => {
				if (state[part].progress) return;
				stop();
				resolve();
			});
		});
		reader.read(part, range, true);
		await read;
		expect(store.getState()[part].problem).toBeUndefined();
	}
	organization = store.getState();
	await service.close();
	await server.close();
});

const label = () => safe`k`;

function pageAt(
	name: OrganizationPage,
	reading: Partial<OrganizationViewState>,
	size: Omit<PageContext, 'now' | 'label'>,
): Page {
	const page = organizationPages[name](
		organization,
		{...firstOrganizationState, range, ...reading},
		{...size, now: Date.now(), label},
	);
	if (!page) throw new Error(`nothing of ${name} was read`);
	return page;
}

/** All that a page shows, however far it scrolls. */
function seen({title, head, heading = [], count, row}: Page): string[] {
	const list = Array.from({length: count}, (_, index) => row(index));
	return [title, ...head, heading, ...list].map(line => lineText(line));
}

const exported = ({data}: Page): string => {
	const page = data?.();
	if (!page) return '';
	const csv = page.tables.flatMap(table => [...tableCsv(table)]).join('');
	const whole = [...pageJson(page)].join('');
	expect(() => JSON.parse(whole)).not.toThrow();
	return csv;
};

const day = yesterday;
const tab = (name: OrganizationViewState['tab']) => ['usage', {tab: name}] as const;

/** Page, what stands on it, what stands in its CSV, each part between bars. */
const places: readonly (readonly [
	what: string,
	page: readonly [OrganizationPage, Partial<OrganizationViewState>],
	shown: string,
	inCsv: string,
])[] = [
	[
		'credits',
		tab('credits'),
		'100,004 | 110,005 | 120,006 | 130,007 | 140,008 | model-a | tier-a | 180,002 | 142,004 | 144,006 | one@example.org | 160,018',
		'org-of-ours | 100004 | 110005 | 120006 | 130007 | 140008 | model-a,tier-a,142004,144006,180002,0.89997 | u-1,one@example.org,160018,0.80005 | u-1,one@example.org,model-b,140022',
	],
	[
		'adoption',
		tab('adoption'),
		`31 | 52 | 93 | terminal-ui | 24 | 434 | 4,035 | 536 | ${day}`,
		`${day},31,52,93 | 434,4035,536 | terminal-ui,24 | web,15`,
	],
	[
		'autonomy',
		tab('autonomy'),
		'7.24 | 5.25 | 9.26 | 33.27 | 4.28 | 41 | 29 | 19 | 11',
		`${day},7.24,5.25,9.26,33.27,4.28,0.41,0.29,0.19,0.11`,
	],
	[
		'output',
		tab('output'),
		'274 | 476 | 84 | 26 | TypeScript | 482 | .ts | 478',
		`${day},137,238,42,13 | TypeScript,482 | .ts,478`,
	],
	[
		'tools',
		tab('tools'),
		'2,012 | Execute | 2,026 | 14 | docs | 2,030 | 1,116 | review | 1,218 | compact | 1,321 | Stop Edit notify --token *** | 23',
		`${day},2012,14,23,1116,1218,1321 | Execute,2026 | docs,2030 | review,2034 | compact,2038 | Stop Edit notify --token ***,2044`,
	],
	[
		'people',
		tab('people'),
		`one@example.org | 160,018 | 108 | 712 | 2,088 | 2.5 | ${day}`,
		`one@example.org,160018,108,712,2088,2.5,2,${day},u-1,2310,1514,290,492,94,96,298,302,304,306 | model-p,tier-p,auto-medium,Go Rust`,
	],
	[
		'a person',
		['usage', {tab: 'people', opened: {usage: 'u-1'}}],
		'2,310 | 1,514 | 290 | 492 | 94 | 96 | 298 | 302 | 304 | 306 | model-p (tier-p) | auto-medium | Go, Rust | model-b | 140,022',
		'model-p,tier-p,2 | auto-medium,2 | Rust | model-b,140022',
	],
	[
		'readiness',
		['readiness', {}],
		'host.example/acme/shop | branch-0',
		`report-0 | branch-0,${commit},true,false,model-r,high,1.2.3`,
	],
	[
		'criteria across repositories',
		['readiness', {showsCriteria: true}],
		'criterion-0 | 1/1 | 1 fails everywhere | shop',
		'criterion-0,1,1,shop,partial',
	],
	[
		'a criterion',
		['readiness', {showsCriteria: true, opened: {readiness: 'criterion-0'}}],
		'criterion-0 | fails in 1 of 1 repositories | host.example/acme/shop | 1/3 | two suites of 0 fail',
		'criterion-0,1,1,shop,partial',
	],
	[
		'a report',
		['readiness', {opened: {readiness: 'host.example/acme/shop'}}],
		`2026-03-10 08:05:06 UTC | ${commit} | branch-0 | ! local changes | no unpushed commits | model-r (high) | agent 1.2.3 | report report-0 | criterion-0 | 1/3 | two suites of 0 fail | apps/web | the shop window | 2026-03-09 08:05:06 UTC`,
		'criterion-0 | two suites of 0 fail | apps/web,the shop window | report-1',
	],
	[
		'an older report',
		['readiness', {opened: {readiness: 'host.example/acme/shop'}, report: 1}],
		'report 2 of 2 | 2026-03-09 08:05:06 UTC | branch-1 | criterion-1 | two suites of 1 fail',
		'criterion-1',
	],
	[
		'controls',
		['controls', {}],
		'7 | 2026-03-02 08:09 | boss@example.org | sessionRetentionDays | (1 not in this record)',
		'7,2026-03-02T08:09:10Z,boss@example.org,user-7,sessionRetentionDays,changed,91,92 | commandAllowlist,not in this record,npm test, | user-7,The Boss',
	],
	[
		'a revision',
		['controls', {opened: {controls: '7'}}],
		'2026-03-02 08:09:10 UTC | The Boss, user-7 | 1 change | 1 not in this record | commandAllowlist  not in this record | last known: npm test',
		'commandAllowlist,not in this record',
	],
	[
		'Current settings',
		['controls', {showsInForce: true}],
		'commandAllowlist | npm test | 2026-03-01 | Someone | sessionRetentionDays | 92 | boss@example.org | sandbox.network.httpProxyPort | 8089 | mcpPolicy.enabled | missionPolicy.restrictedAccess | false (default)',
		'commandAllowlist,"[""npm test""]",false,2026-03-01T08:09:10Z,6,true,Someone,user-6,6 | sessionRetentionDays,92,false,2026-03-02T08:09:10Z,7,false,boss@example.org,user-7,7 | mcpPolicy.enabled,false,true,,,false,,,',
	],
	[
		'a setting in force',
		['controls', {showsInForce: true, opened: {controls: '["customModels"]'}}],
		'unchanged since revision 6 or earlier | 2026-03-01 08:09:10 UTC | Someone | user-6 | secrets are hidden | apiKey: *** | baseUrl: https://models.example | X-Key: ***',
		'customModels',
	],
	[
		'a default',
		['controls', {showsInForce: true, opened: {controls: '["mcpPolicy","enabled"]'}}],
		'never set: the default of the API | false',
		'mcpPolicy.enabled,false,true',
	],
	[
		'users',
		['users', {}],
		'one@example.org | 2025-01-02 | Ada Byron | u-1',
		'one@example.org,2026-03-03T04:05:06.000Z',
	],
	[
		'a user',
		['users', {opened: {users: 'u-1'}}],
		'Ada Byron | 2026-03-03 04:05:06 UTC | 2025-01-02 03:04:05 UTC | u-1 | Metadata | team: payments | apiKey: ***',
		'"{""team"":""payments"",""apiKey"":""***""}"',
	],
];

describe('every field of the contract is shown and exported', () => {
	test.each(places)('%s', (_, [name, reading], shown, inCsv) => {
		const page = pageAt(name, reading, {width: 196, height: 46});
		const words = seen(page).join('\n');
		for (const one of shown.split(' | ')) expect(words).toContain(one);
		const csv = exported(page);
		for (const one of inCsv.split(' | ')) expect(csv).toContain(one);
	});

	test('shows the cost of credits if a credit has a price', () => {
		const size = {width: 196, height: 46};
		const creditPrice = {amount: 0.5, currency: 'USD'};
		const costs = (more: Partial<PageContext>) =>
			seen(pageAt(...tab('credits'), {...size, ...more}))
				.join('\n')
				.match(/[\d,.]+ (credits )?\([\d,.]+ USD\)/g);
		expect(costs({})).toBeNull();
		expect(costs({creditPrice})).toEqual([
			'200,008 credits (100,004.00 USD)',
			'100,004 credits (50,002.00 USD)',
		]);
	});

	test.each([
		[76, 20],
		[116, 36],
		[196, 46],
	])('at %i x %i, nothing is wider than the page, and no secret is shown or exported', (width, height) => {
		for (const [what, [name, reading]] of places) {
			const page = pageAt(name, reading, {width, height});
			const {title, head, heading = [], count, row} = page;
			const lines = [...head, heading, ...Array.from({length: count}, (_, index) => row(index))];
			for (const line of lines)
				expect(lineWidth(line), `${what}: ${lineText(line)}`).toBeLessThanOrEqual(width);
			expect(lineText(title)).not.toContain(secret);
			expect(seen(page).join('\n')).not.toContain(secret);
			expect(exported(page)).not.toContain(secret);
			expect([...(page.data ? pageJson(page.data()) : [])].join('')).not.toContain(secret);
		}
	});
});

test('one day is no days, and a comparison says that it leaves out today', () => {
	expect(strings.days(1)).toBe('1 day');
	expect(strings.usage.vsPrevious(1, false)).toBe(' vs the day before');
	expect(strings.usage.vsPrevious(27, true)).toBe(' without today, vs the 27 days before');
});
