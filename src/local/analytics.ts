import {extname} from 'node:path';
import type {
	ActivityRow,
	ProductivityRow,
	TokenRow,
	ToolRow,
	UserRow,
} from '../domain/organization/analytics.ts';
import type {User} from '../domain/organization/user.ts';
import {utcDayOf} from '../domain/time.ts';
import type {DayRange} from '../domain/usage/range.ts';
import type {
	FileChange,
	MessageActivity,
	Span,
	StartedCommand,
	StoredCommit,
	StoredUsage,
} from './storage/usage.ts';

const languages: Readonly<Record<string, string>> = {
	'.c': 'C',
	'.cc': 'C++',
	'.cpp': 'C++',
	'.cs': 'C#',
	'.css': 'CSS',
	'.go': 'Go',
	'.h': 'C',
	'.html': 'HTML',
	'.java': 'Java',
	'.js': 'JavaScript',
	'.jsx': 'JavaScript',
	'.json': 'JSON',
	'.kt': 'Kotlin',
	'.md': 'Markdown',
	'.mjs': 'JavaScript',
	'.php': 'PHP',
	'.py': 'Python',
	'.rb': 'Ruby',
	'.rs': 'Rust',
	'.sh': 'Shell',
	'.sql': 'SQL',
	'.swift': 'Swift',
	'.toml': 'TOML',
	'.ts': 'TypeScript',
	'.tsx': 'TypeScript',
	'.yaml': 'YAML',
	'.yml': 'YAML',
};

/** A path's extension with its dot, in lower case; empty if it has none. */
function extensionOf(path: string): string {
	return extname(path).toLowerCase();
}

/** A file's language by its extension; undefined if unknown. */
function languageOf(path: string): string | undefined {
	return languages[extensionOf(path)];
}

/** Length of a UTC day, ms. */
export const dayLength = 86_400_000;

export function spanOf({startDate, endDate}: DayRange): Span {
	return {from: Date.parse(startDate), to: Date.parse(endDate) + dayLength};
}

/** Groups items by day, in day order. */
function byDay<T>(items: readonly T[], dayOfItem: (item: T) => string): [string, T[]][] {
	const days = Map.groupBy(items, dayOfItem);
	return [...days].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Counts occurrences of each key, most frequent first. */
function countBy<T>(items: readonly T[], keyOf: (item: T) => string): [string, number][] {
	const groups = [...Map.groupBy(items, keyOf)].map(([key, group]): [string, number] => [key, group.length]);
	return groups.sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
}

/** Source data of `/activity`. Messages reach back 30 days before the range. */
export type ActivityData = {
	readonly messages: readonly MessageActivity[];
	readonly sessionStarts: readonly number[];
};

/** Rows of `/activity` for the days of the range with any activity. There is one user. */
export function activityRows({messages, sessionStarts}: ActivityData, from: number): ActivityRow[] {
	const entries = [
		...messages.map(message => ({at: message.at, message})),
		...sessionStarts.map(at => ({at, message: undefined})),
	].filter(({at}) => at >= from);
	const activeDays = new Set(messages.filter(isFromUser).map(({at}) => utcDayOf(at)));
	return byDay(entries, ({at}) => utcDayOf(at)).map(([date, ofDay]) => {
		const ofMessages = ofDay.flatMap(({message}) => message ?? []);
		const users = ofMessages.filter(isFromUser);
		return {
			date,
			daily_active_users: users.length > 0 ? 1 : 0,
			weekly_active_users: isActiveWithin(activeDays, date, 7),
			monthly_active_users: isActiveWithin(activeDays, date, 30),
			daily_active_users_by_client: Object.fromEntries(clientsOf(users).map(client => [client, 1])),
			sessions: ofDay.length - ofMessages.length,
			messages: ofMessages.length,
			user_messages: users.length,
		};
	});
}

/** Rows of `/activity` with `group_by=client`, for the clients that identified themselves. */
export function activityRowsByClient({messages}: ActivityData, from: number): ActivityRow[] {
	const users = messages.filter(message => isFromUser(message) && message.at >= from);
	return byDay(users, ({at}) => utcDayOf(at)).flatMap(([date, ofDay]) =>
		clientsOf(ofDay).map(client => ({date, group_key: client, daily_active_users: 1})),
	);
}

function isFromUser({role}: MessageActivity): boolean {
	return role === 'user';
}

function clientsOf(messages: readonly MessageActivity[]): string[] {
	return [...new Set(messages.flatMap(({client}) => client ?? []))].sort();
}

/** 1 when the user was active on that day or the `days - 1` before it. */
function isActiveWithin(active: ReadonlySet<string>, date: string, days: number): number {
	const last = Date.parse(date);
	for (let back = 0; back < days; back++) if (active.has(utcDayOf(last - back * dayLength))) return 1;
	return 0;
}

/** Changes that turns made in git work trees. */
export type WorkData = {
	readonly files: readonly FileChange[];
	readonly commits: readonly StoredCommit[];
};

/** Rows of `/productivity`. This service can't see pull requests, so their count is omitted. */
export function productivityRows({files, commits}: WorkData): ProductivityRow[] {
	const entries: {date: string; file?: FileChange}[] = [
		...files.map(file => ({date: file.date, file})),
		...commits.map(({date}) => ({date})),
	];
	return byDay(entries, ({date}) => date).map(([date, ofDay]) => {
		const changed = ofDay.flatMap(({file}) => file ?? []);
		const paths = changed.map(({path}) => path);
		return {
			date,
			files_created: changed.filter(({kind}) => kind === 'created').length,
			files_edited: changed.filter(({kind}) => kind === 'edited').length,
			by_extension: countBy(paths.map(extensionOf).filter(Boolean), String).map(([extension, count]) => ({
				extension,
				count,
			})),
			by_language: countBy(
				paths.flatMap(path => languageOf(path) ?? []),
				String,
			).map(([language, count]) => ({language, count})),
			git_commits: ofDay.length - changed.length,
		};
	});
}

/**
 * Rows of `/tokens`: what agents reported. Their billing is not this service's, so only a day without a model
 * has billable tokens: none. A day on which models ran, and no agent reported tokens, has no row.
 */
export function tokenRows(
	commands: readonly StartedCommand[],
	reported: readonly StoredUsage[],
	user: User,
): TokenRow[] {
	const entries = [
		...commands.map(command => ({at: command.at, command, usage: undefined})),
		...reported.map(usage => ({at: usage.at, command: undefined, usage})),
	];
	return byDay(entries, ({at}) => utcDayOf(at)).flatMap(([date, ofDay]) => {
		const usages = ofDay.flatMap(({usage}) => usage ?? []);
		const usedModel = ofDay.some(({command}) => command?.usesModel);
		if (usedModel && usages.length === 0) return [];
		const billable = usedModel ? {} : {billable_tokens: 0};
		const models = Map.groupBy(
			usages.filter(({model}) => model !== undefined),
			({model = ''}) => model,
		);
		const by_model = [...models].map(([model_id, ofModel]) => ({model_id, ...sumOf(ofModel)}));
		return {
			date,
			...billable,
			...sumOf(usages),
			cache_read_tokens: total(usages, 'cacheReadTokens'),
			cache_write_tokens: total(usages, 'cacheWriteTokens'),
			by_model,
			by_user: [{user_id: user.id, user_email: user.email, ...billable, ...countsOf(usages), by_model}],
		};
	});
}

/** Rows of `/tokens` with `group_by=model`. */
export function tokenRowsByModel(rows: readonly TokenRow[]): TokenRow[] {
	return rows.flatMap(({date, by_model = []}) =>
		by_model.map(({model_id, ...counts}) => ({date, group_key: String(model_id), ...counts})),
	);
}

function countsOf(usages: readonly StoredUsage[]) {
	return {input_tokens: total(usages, 'inputTokens'), output_tokens: total(usages, 'outputTokens')};
}

/** Without a cost if no client reported one. */
function sumOf(usages: readonly StoredUsage[]) {
	const costs = usages.flatMap(({cost}) => cost ?? []);
	return {
		...countsOf(usages),
		...(costs.length > 0 && {cost_usd: costs.reduce((sum, cost) => sum + cost, 0)}),
	};
}

function total(
	usages: readonly StoredUsage[],
	field: 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens',
): number {
	return usages.reduce((sum, usage) => sum + usage[field], 0);
}

/**
 * Rows of `/tools`: programs the service started. The service can't see into a model's agent, so servers, skills and
 * hooks are omitted instead of reported as zero.
 */
export function toolRows(commands: readonly StartedCommand[]): ToolRow[] {
	return byDay(commands, ({at}) => utcDayOf(at)).map(([date, ofDay]) => ({
		date,
		tool_calls: ofDay.length,
		by_tool: countBy(ofDay, ({tool}) => tool).map(([tool, invocations]) => ({tool, invocations})),
		...ratesOf(ofDay),
	}));
}

/** Rows of `/tools` with `group_by=tool_name`. */
export function toolRowsByName(commands: readonly StartedCommand[]): ToolRow[] {
	return byDay(commands, ({at}) => utcDayOf(at)).flatMap(([date, ofDay]) =>
		countBy(ofDay, ({tool}) => tool).map(([tool, count]) => ({date, group_key: tool, tool_calls: count})),
	);
}

function ratesOf(commands: readonly StartedCommand[]): Partial<ToolRow> {
	const turns = commands.filter(({messageId}) => messageId !== undefined);
	const sessions = new Set(turns.map(({sessionId}) => sessionId)).size;
	if (sessions === 0) return {};
	const turnsOfSession = {user_turns_per_session_avg: turns.length / sessions};
	// A shell turn is one call; the number of calls a model made in a turn is unknown.
	if (turns.some(({usesModel}) => usesModel)) return turnsOfSession;
	return {
		...turnsOfSession,
		tool_calls_per_session_avg: turns.length / sessions,
		autonomy_ratio_avg: 1,
		autonomy_ratio_p50: 1,
		autonomy_ratio_p90: 1,
	};
}

/** Rows of the other families for the same days: with one user, the user's row is their sum. */
export type DayRows = {
	readonly tokens: readonly TokenRow[];
	readonly tools: readonly ToolRow[];
	readonly activity: readonly ActivityRow[];
	readonly productivity: readonly ProductivityRow[];
};

/** Rows of `/users`: one per day with any activity; unknown fields are omitted. */
export function userRows(
	rows: DayRows,
	user: User,
): (Omit<UserRow, 'user_email'> & {user_email: string | null})[] {
	const all = [...rows.tokens, ...rows.tools, ...rows.activity, ...rows.productivity];
	const dates = [...new Set(all.map(({date}) => String(date)))].sort();
	return dates.map(date => {
		const ofDay = <T extends {readonly date?: string}>(list: readonly T[]) =>
			list.find(row => row.date === date);
		const activity = ofDay(rows.activity);
		const productivity = ofDay(rows.productivity);
		const tools = ofDay(rows.tools);
		return {
			user_id: user.id,
			user_email: user.email ?? null,
			date,
			tool_calls: tools?.tool_calls ?? 0,
			billable_tokens: ofDay(rows.tokens)?.billable_tokens,
			files_created: productivity?.files_created ?? 0,
			files_edited: productivity?.files_edited ?? 0,
			git_commits: productivity?.git_commits ?? 0,
			sessions: activity?.sessions ?? 0,
			messages: activity?.messages ?? 0,
			user_messages: activity?.user_messages ?? 0,
			assistant_messages: (activity?.messages ?? 0) - (activity?.user_messages ?? 0),
			autonomy_ratio: tools?.autonomy_ratio_avg,
			languages: productivity?.by_language?.flatMap(({language}) => language ?? []) ?? [],
		};
	});
}
