import type {UserRow} from '../domain/organization/analytics.ts';
import type {ControlChange} from '../domain/organization/controls.ts';
import type {ReadinessReport} from '../domain/organization/readiness.ts';
import type {User} from '../domain/organization/user.ts';
import {addDays, utcDayOf} from '../domain/time.ts';
import {organizationOf} from './organization.ts';

const dayLength = 86_400_000;
/** How many days the organization has used agents. */
const days = 170;

const people = [
	...['Robin Berg', 'Ana Duarte', 'Mehmet Yilmaz', 'Ines Laurent', 'Kofi Mensah', 'Greta Lindqvist'],
	...['Tomás Vega', 'Yuki Tanaka', 'Priya Nair', 'Jonas Weber', 'Lucía Romero', 'Amara Okafor'],
	...['Henrik Solberg', 'Mei Chen', 'Daniel Novak', 'Fatima Haddad', 'Oscar Lund', 'Sofia Marino'],
	...['Ravi Iyer', 'Clara Hoffmann', 'Liam Byrne', 'Zofia Nowak', 'Noah Meyer', 'Elif Aydin'],
];

function person(index: number): Partial<User> {
	const [firstName = '', lastName = ''] = (people[index] ?? '').split(' ');
	const plain = `${firstName}.${lastName}`
		.normalize('NFD')
		.replace(/[\u0300-\u036f]/g, '')
		.toLowerCase();
	return {firstName, lastName, email: `${plain}@harbor.example`};
}

/** Half a year of a team of engineers, up to now: quiet weekends, and more of them every month. */
export function sampleOrganization(now: number) {
	const endDate = utcDayOf(now);
	const partOfToday = (now % dayLength) / dayLength;
	const startDate = addDays(endDate, -days);
	const organization = organizationOf({
		users: people.length,
		range: {startDate, endDate},
		seed: 7,
		idle: date => {
			const isWeekend = [0, 6].includes(new Date(date).getUTCDay());
			const age = (Date.parse(endDate) - Date.parse(date)) / dayLength / days;
			const idle = isWeekend ? 0.93 : 0.22 + 0.4 * age;
			return date === endDate ? 1 - partOfToday * (1 - idle) : idle;
		},
		busy: {date: addDays(endDate, -9), factor: 2},
		names: {
			models: ['claude-sonnet-4-5', 'gpt-5-codex', 'claude-opus-4-1'],
			clients: ['terminal-ui', 'web', 'non-interactive-cli'],
			tools: ['Bash', 'Read', 'Edit', 'Grep', 'Write', 'WebFetch', 'mcp__tracker__search'],
			servers: ['tracker', 'docs', 'browser', 'postgres'],
			levels: ['auto-high', 'auto-medium', 'auto-low', 'spec', 'manual'],
			languages: ['TypeScript', 'Go', 'Rust', 'Python', 'Swift'],
			person,
		},
	});
	const extensions = ['.ts', '.go', '.tsx', '.rs', '.py', '.md'];
	return {
		users: organization.users.map((user, index) => ({
			...user,
			createdAt: new Date(Date.parse(startDate) + index * 5 * dayLength).toISOString(),
			lastSignInAt: new Date(now - (index % 9) * index * 3 * 3_600_000 - 600_000).toISOString(),
		})),
		rows: {
			tokens: organization.tokens(),
			activity: organization.activity(),
			productivity: organization.productivity().map(row => ({
				...row,
				git_prs_created: Math.round((row.git_commits ?? 0) * 0.35),
				by_extension: extensions.map((extension, index) => ({
					extension,
					count: Math.floor((row.files_edited ?? 0) / (index + 1.5)),
				})),
			})),
			tools: organization.tools().map(({tool_calls: calls = 0, ...row}) => ({
				...row,
				tool_calls: calls,
				mcp_users_with_mcp: Math.round(calls / 90),
				web_users: Math.round(calls / 140),
				tool_calls_per_session_avg: 14.2,
				user_turns_per_session_avg: 4.6,
				tool_autonomy_level_ratio: {auto_high: 0.31, auto_medium: 0.34, auto_low: 0.2, manual: 0.15},
				skills_by_name: shares(calls, ['release-notes', 'runbook', 'migration-plan'], 60),
				slash_commands_by_name: shares(calls, ['/review', '/plan', '/commit'], 35),
				hooks_by_event: shares(calls, ['PostToolUse', 'Stop', 'PreToolUse'], 20).map(({name, count}) => ({
					event: name,
					count,
				})),
			})),
		} satisfies Record<string, readonly object[]>,
		userRows: [...organization.userRows()].map((row): UserRow => {
			const calls = row.tool_calls ?? 0;
			return {
				...row,
				git_prs_created: Math.round((row.git_commits ?? 0) / 3),
				mcp_calls: Math.floor(calls / 6),
			};
		}),
	};
}

function shares(total: number, names: readonly string[], of: number) {
	return names.map((name, index) => ({name, count: Math.round(total / of / (index + 1))}));
}

/** What changed in the settings, oldest first: who, how many days ago, and what. */
const changes: readonly (readonly [who: number, ago: number, settings: Record<string, unknown>])[] = [
	[0, 168, {maxAutonomyLevel: 'auto-low', cloudSessionSync: false, commandDenylist: ['rm -rf /', 'mkfs']}],
	[0, 151, {modelPolicy: {allowedModelIds: ['claude-sonnet-4-5']}}],
	[3, 133, {commandAllowlist: ['npm test', 'go test ./...', 'cargo test']}],
	[3, 118, {modelPolicy: {allowedModelIds: ['claude-sonnet-4-5', 'gpt-5-codex']}}],
	[9, 97, {maxAutonomyLevel: 'auto-medium'}],
	[9, 84, {mcpPolicy: {enabled: true, allowedServers: ['tracker', 'docs']}}],
	[0, 66, {commandDenylist: ['rm -rf /', 'mkfs', 'terraform destroy']}],
	[14, 51, {cloudSessionSync: true}],
	[
		9,
		37,
		{
			mcpPolicy: {enabled: true, allowedServers: ['tracker', 'docs', 'postgres']},
			mcpAutonomyOverrides: {postgres: {level: 'manual'}},
		},
	],
	[3, 22, {modelPolicy: {allowedModelIds: ['claude-sonnet-4-5', 'gpt-5-codex', 'claude-opus-4-1']}}],
	[
		0,
		11,
		{
			sandbox: {
				enabled: true,
				network: {allowedHosts: ['registry.npmjs.org', 'proxy.golang.org', 'crates.io']},
			},
		},
	],
	[14, 2, {maxAutonomyLevel: 'auto-high', includeCoAuthoredBy: true}],
];

/** Newest first, as the service lists them. */
export function sampleControls(now: number): readonly ControlChange[] {
	let settings: Record<string, unknown> = {};
	return changes
		.map(([who, ago, changed], index) => {
			settings = {...settings, ...changed};
			const {firstName, lastName, email = ''} = person(who);
			return {
				revision: index + 1,
				settings,
				user: {id: `user-${String(who).padStart(6, '0')}`, email, name: `${firstName} ${lastName}`},
				updatedAt: new Date(now - ago * dayLength - ((index * 47) % 360) * 60_000).toISOString(),
			};
		})
		.reverse();
}

const criteria: readonly (readonly [id: string, met: string, missing: string])[] = [
	[
		'agent_instructions',
		'AGENTS.md at the root says how to build and test.',
		'There is no AGENTS.md or CLAUDE.md.',
	],
	['build_script', 'One command builds everything.', 'The build takes four steps that only the wiki lists.'],
	['code_owners', 'CODEOWNERS names a team for each folder.', 'Nobody is named for most folders.'],
	['continuous_integration', 'Every pull request is built and tested.', 'The tests run only at night.'],
	[
		'dependency_updates',
		'Updates come as pull requests every week.',
		'Dependencies are updated by hand, last in March.',
	],
	['fast_tests', 'The unit tests take less than a minute.', 'The unit tests take over ten minutes.'],
	['formatter', 'A formatter runs before each commit.', 'The style is checked in reviews only.'],
	['linter', 'The linter runs in CI.', 'No linter is set up.'],
	['lock_file', 'The lock file is checked in.', 'Versions aren’t locked.'],
	['readme', 'The README says what it is and how to begin.', 'The README is the template of the framework.'],
	['runbook', 'The runbook covers each alert.', 'Three alerts have no runbook.'],
	['tests', 'Each application has tests.', 'One application has no tests.'],
	['type_check', 'Types are checked in CI.', 'Types aren’t checked.'],
];

/** Repositories, how many of the criteria they meet now, and their applications. */
const repositories: readonly (readonly [repo: string, met: number, apps: readonly string[]])[] = [
	['orders', 12, ['api', 'worker']],
	['payments', 11, ['api']],
	['storefront', 10, ['web', 'mail', 'admin']],
	['infra', 8, ['terraform']],
	['ingest', 8, ['importer', 'dedup']],
	['ranking', 6, ['training', 'serving']],
	['mobile', 9, ['ios']],
	['docs', 7, ['site']],
];

/** Five reports of each repository, newest first. */
export function sampleReports(now: number): readonly ReadinessReport[] {
	return [0, 1, 2, 3, 4].flatMap(age =>
		repositories.map(([repo, met, apps], index): ReadinessReport => {
			const passing = met - Math.ceil((age * (1 + (index % 4))) / 2);
			return {
				reportId: `report-${repo}-${age}`,
				createdAt: now - (age * 28 + index) * dayLength - 3_600_000,
				repoUrl: `https://git.example.org/${repo}`,
				branch: 'main',
				commitHash: `${index}${age}c4e1f7a9b02d58e6134fa7c09be2d1a5f3`.padEnd(40, '7').slice(0, 40),
				hasLocalChanges: false,
				hasNonRemoteCommits: false,
				apps: Object.fromEntries(apps.map(app => [app, {description: `The ${app} of ${repo}`}])),
				modelUsed: {id: 'claude-sonnet-4-5', reasoningEffort: 'medium'},
				agentVersion: '2.0.14',
				report: Object.fromEntries(
					criteria.map(([id, fulfilled, missing], number) => {
						const isMet = (number * 5 + index * 3) % criteria.length < passing;
						const isPartial = !isMet && apps.length > 1 && number % 2 === 0;
						const numerator = isMet ? apps.length : isPartial ? 1 : 0;
						return [id, {numerator, denominator: apps.length, rationale: isMet ? fulfilled : missing}];
					}),
				),
			};
		}),
	);
}
