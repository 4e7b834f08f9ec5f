import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import type {User} from '../domain/organization/user.ts';
import {type DayRange, daysIn} from '../domain/usage/range.ts';

/** One user's work with one model on one day, the source of all analytics of the organization. */
export type Work = {
	readonly date: string;
	readonly user: number;
	readonly model: string;
	readonly client: string;
	readonly credits: number;
	readonly input: number;
	readonly output: number;
	readonly cacheRead: number;
	readonly sessions: number;
	readonly turns: number;
	readonly tools: Readonly<Record<string, number>>;
	readonly servers: Readonly<Record<string, number>>;
	readonly created: number;
	readonly edited: number;
	readonly commits: number;
	readonly level: string;
};

export type Organization = {
	readonly range: DayRange;
	readonly users: readonly User[];
	readonly work: readonly Work[];
	/** Days of which no family has a row. */
	readonly missing: ReadonlySet<string>;
	tokens(): TokenRow[];
	tools(): ToolRow[];
	activity(): ActivityRow[];
	productivity(): ProductivityRow[];
	/** By user id, then by day, as the pages of `/users` come. */
	userRows(): Iterable<UserRow>;
};

export type OrganizationOptions = {
	readonly users: number;
	readonly range: DayRange;
	readonly seed: number;
	/** Share of days without rows. */
	readonly missing?: number;
	/** Share of work whose user and model the breakdowns don't name. */
	readonly unattributed?: number;
	/** A day on which everything took so many times the credits of others. */
	readonly busy?: {readonly date: string; readonly factor: number};
	/** Share of user-days on which nothing was done; most users of a large organization rest on most days. */
	readonly idle?: number | ((date: string) => number);
	readonly names: Names;
};

type Names = Readonly<
	Record<'models' | 'clients' | 'tools' | 'servers' | 'levels' | 'languages', readonly string[]>
> & {
	/** E-mail and name of a user. */
	readonly person: (index: number) => Partial<User>;
};

/**
 * An organization made of a seed, with all the flaws that analytics have: missing days, users without an e-mail, MCP
 * servers in two spellings, scraps among the names of tools, work that no breakdown names.
 */
export function organizationOf(options: OrganizationOptions): Organization {
	const {range, seed, missing: missingShare = 0, unattributed = 0, idle = 0.5, busy, names} = options;
	const {models, clients, tools, servers, levels, languages} = names;
	const random = generator(seed);
	const whole = (below: number) => Math.floor(random() * below);
	const pick = <T>(list: readonly T[]): T => list[whole(list.length)] as T;
	const dates = daysIn(range);
	const missing = new Set(dates.filter(date => random() < missingShare && date !== busy?.date));
	const users = Array.from({length: options.users}, (_, index): User => {
		const day = String(1 + (index % 28)).padStart(2, '0');
		return {
			id: `user-${String(index).padStart(6, '0')}`,
			...names.person(index),
			createdAt: `2025-${String(1 + (index % 12)).padStart(2, '0')}-${day}T08:00:00Z`,
			lastSignInAt: `${dates[index % dates.length]}T09:30:00Z`,
		};
	});
	const work: Work[] = [];
	for (const date of dates) {
		const idleShare = typeof idle === 'number' ? idle : idle(date);
		for (let user = 0; user < users.length; user++) {
			// Every ninth user never does anything.
			if (user % 9 === 8 || random() < idleShare) continue;
			for (const model of models.slice(0, 1 + whole(2))) {
				const input = whole(50_000);
				work.push({
					date,
					user,
					model,
					client: pick(clients),
					credits: (whole(40_000) / 4) * (date === busy?.date ? busy.factor : 1),
					input,
					output: whole(5000),
					cacheRead: whole(input + 1),
					sessions: whole(4),
					turns: 1 + whole(20),
					tools: {[pick(tools)]: 1 + whole(30), [pick(tools)]: 1 + whole(9)},
					servers: random() < 0.4 ? {[pick(servers)]: 1 + whole(12)} : {},
					created: whole(3),
					edited: whole(8),
					commits: whole(3),
					level: pick(levels),
				});
			}
		}
	}
	const byDate = Map.groupBy(work, ({date}) => date);
	const days = dates.filter(date => !missing.has(date));
	const of = (date: string) => byDate.get(date) ?? [];
	const isNamed = (one: Work) =>
		unattributed === 0 || (one.input * 7919 + one.output) % 1000 >= unattributed * 1000;
	const activeUsers = (date: string, back: number) => {
		const last = dates.indexOf(date);
		const window = dates.slice(Math.max(0, last - back + 1), last + 1);
		return new Set(window.flatMap(of).map(({user}) => user)).size;
	};
	return {
		range,
		users,
		work,
		missing,
		tokens: () =>
			days.map(date => ({
				date,
				billable_tokens: sum(of(date), one => one.credits),
				input_tokens: sum(of(date), one => one.input),
				output_tokens: sum(of(date), one => one.output),
				cache_read_tokens: sum(of(date), one => one.cacheRead),
				cache_write_tokens: 0,
				by_model: grouped(of(date).filter(isNamed), one => one.model).map(([model_id, some]) => ({
					model_id,
					model_tier: model_id.includes('thinking') ? 'thinking' : 'standard',
					billable_tokens: sum(some, one => one.credits),
				})),
				by_user: grouped(of(date).filter(isNamed), one => String(one.user)).map(([user, some]) => {
					const {id, email} = users[Number(user)] as User;
					return {user_id: id, user_email: email, billable_tokens: sum(some, one => one.credits)};
				}),
			})),
		tools: () =>
			days.map(date => {
				const calls = sum(of(date), callsOf);
				const turns = sum(of(date), one => one.turns);
				return {
					date,
					tool_calls: calls,
					by_tool: counted(of(date), one => one.tools).map(([tool, invocations]) => ({tool, invocations})),
					mcp_by_server: counted(of(date), one => one.servers).map(([server, invocations]) => ({
						server,
						invocations,
					})),
					...(turns > 0 && {
						autonomy_ratio_avg: calls / turns,
						autonomy_ratio_p50: 1 + (turns % 5),
						autonomy_ratio_p90: 4 + (turns % 9),
					}),
				};
			}),
		activity: () =>
			days.map(date => ({
				date,
				daily_active_users: new Set(of(date).map(({user}) => user)).size,
				weekly_active_users: activeUsers(date, 7),
				monthly_active_users: activeUsers(date, 30),
				daily_active_users_by_client: Object.fromEntries(
					grouped(of(date), one => one.client).map(([client, some]) => [
						client,
						new Set(some.map(({user}) => user)).size,
					]),
				),
				sessions: sum(of(date), one => one.sessions),
				messages: 2 * sum(of(date), one => one.turns),
				user_messages: sum(of(date), one => one.turns),
			})),
		productivity: () =>
			days.map(date => ({
				date,
				files_created: sum(of(date), one => one.created),
				files_edited: sum(of(date), one => one.edited),
				git_commits: sum(of(date), one => one.commits),
				git_prs_created: 0,
				by_language: languages.map((language, index) => ({
					language,
					count: Math.floor(sum(of(date), one => one.created + one.edited) / (index + 1)),
				})),
			})),
		*userRows() {
			const byUser = Map.groupBy(days.flatMap(of), ({user}) => user);
			for (const [index, user] of users.entries())
				for (const [date, some] of grouped(byUser.get(index) ?? [], one => one.date))
					yield {...userRow(user, date, some), languages};
		},
	};
}

function userRow(user: User, date: string, some: readonly Work[]): UserRow {
	const calls = sum(some, callsOf);
	const turns = sum(some, one => one.turns);
	return {
		user_id: user.id,
		user_email: user.email,
		date,
		tool_calls: calls,
		billable_tokens: sum(some, one => one.credits),
		primary_model: some[0]?.model ?? '',
		primary_model_tier: 'standard',
		files_created: sum(some, one => one.created),
		files_edited: sum(some, one => one.edited),
		git_commits: sum(some, one => one.commits),
		git_prs_created: 0,
		sessions: sum(some, one => one.sessions),
		messages: 2 * turns,
		user_messages: turns,
		assistant_messages: turns,
		autonomy_ratio: calls / turns,
		delegation_level: some[0]?.level ?? 'manual',
	};
}

export function callsOf(one: Work): number {
	return Object.values(one.tools).reduce((a, b) => a + b, 0);
}

function counted(
	work: readonly Work[],
	pick: (one: Work) => Readonly<Record<string, number>>,
): [string, number][] {
	const counts = new Map<string, number>();
	for (const one of work)
		for (const [name, count] of Object.entries(pick(one))) counts.set(name, (counts.get(name) ?? 0) + count);
	return [...counts];
}

function grouped(work: readonly Work[], keyOf: (one: Work) => string): [string, Work[]][] {
	return [...Map.groupBy(work, keyOf)];
}

function sum(work: readonly Work[], pick: (one: Work) => number): number {
	return work.reduce((all, one) => all + pick(one), 0);
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}
