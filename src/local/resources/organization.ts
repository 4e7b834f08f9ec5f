import {hostname} from 'node:os';
import {z} from 'zod';
import {userName} from '../../config/user-name.ts';
import type {TokenRow, UserRow} from '../../domain/organization/analytics.ts';
import type {User} from '../../domain/organization/user.ts';
import {isRealDay} from '../../domain/time.ts';
import {type DayRange, lastDayAt} from '../../domain/usage/range.ts';
import type {BackgroundContext, LocalContext} from '../context.ts';
import {pageQuery, parseQuery, readPage} from '../http/fields.ts';
import {badField, get, type Route} from '../http/router.ts';
import {outputOf, runGit} from '../processes/git.ts';
import {evaluateWorkspaces} from '../readiness/evaluate.ts';
import type {ModelDay} from '../storage/usage.ts';

const listQuery = z.strictObject(pageQuery);

const reportQuery = z.strictObject({
	/** The repository's address, as reported in `repoUrl`. */
	repoId: z.string().optional(),
	limit: z
		.string()
		.regex(/^[1-9]\d{0,8}$/, {error: 'must be a positive integer'})
		.transform(Number)
		.optional(),
	startAfter: z.string().optional(),
});

/** Serves the organization: its only user, its readiness reports and its analytics. It has no settings. */
export function organizationRoutes(context: LocalContext): Route[] {
	const {storage} = context;
	return [
		get('/api/v0/organization/users', async ({query}) => {
			const page = parseQuery(listQuery, query);
			const user = await readLocalUser(context);
			const rows = (after?: number) => (after === undefined ? [user] : []);
			const {items, pagination} = readPage('users', page, rows, () => 1);
			return {users: items, pagination};
		}),
		get('/api/v0/organization/enterprise-controls/history', ({query}) => {
			parseQuery(listQuery, query);
			return {changes: [], pagination: {hasMore: false, nextCursor: ''}};
		}),
		get('/api/organization/maturity-level-reports', async ({query}) => {
			const {repoId, limit, startAfter} = parseQuery(reportQuery, query);
			const cursorReport = startAfter === undefined ? undefined : storage.readiness.get(startAfter);
			if (startAfter !== undefined && !cursorReport)
				throw badField('startAfter', 'is not a report of this service');
			if (!cursorReport) await evaluateWorkspaces(context);
			const reports = storage.readiness.list(cursorReport?.seq).map(({report}) => report);
			const matching = reports.filter(
				({repoUrl}) => repoId === undefined || normalizeUrl(repoUrl ?? '') === normalizeUrl(repoId),
			);
			return {reports: matching.slice(0, limit)};
		}),
		...analyticsRoutes(context),
	];
}

/** The organization's only user: whoever runs the service, with git's configured name and address. */
async function readLocalUser({storage, groups, closing}: BackgroundContext): Promise<User> {
	const {userId, createdAt} = storage.identity.get();
	const readSetting = async (name: string) =>
		outputOf(await runGit(groups, ['config', '--global', '--get', name], {signal: closing}))?.trim() ||
		undefined;
	const [email, name] = await Promise.all([readSetting('user.email'), readSetting('user.name')]);
	const [firstName, ...others] = name?.split(/\s+/) ?? [];
	return {
		id: userId,
		email: email !== undefined && /^[^@\s]+@[^@\s]+$/.test(email) ? email : undefined,
		createdAt: new Date(createdAt).toISOString(),
		metadata: {username: userName(), hostname: hostname()},
		firstName,
		lastName: others.join(' ') || undefined,
	};
}

function normalizeUrl(url: string): string {
	return url
		.replace(/\/+$/, '')
		.replace(/\.git$/, '')
		.toLowerCase();
}

const day = z.string().refine(isRealDay, {error: 'must be a date, YYYY-MM-DD'});
const range = {startDate: day, endDate: day, include_today: z.literal('true').optional()};
const groupedBy = <Group extends string>(group: Group) =>
	z.strictObject({...range, group_by: z.literal(group).optional()});

type Query = DayRange & {readonly include_today?: 'true' | undefined};

/**
 * Serves the tokens that agents reported, and the user's messages and sessions, by UTC day. It knows nothing of the
 * other families. A day without records has no row.
 */
function analyticsRoutes(context: LocalContext): Route[] {
	const {usage, identity} = context.storage;
	const route = <Asked extends Query>(
		name: string,
		schema: z.ZodType<Asked>,
		rowsOf: (query: Asked, user: User) => readonly unknown[] = () => [],
		more: object = {},
	) =>
		get(`/api/v1/analytics/${name}`, async request => {
			const query = checkRange(parseQuery(schema, request.query));
			const {startDate: start_date, endDate: end_date} = query;
			const data = rowsOf(query, await readLocalUser(context));
			return {data, meta: {org_id: identity.get().orgId, start_date, end_date, ...more}};
		});
	return [
		route('tokens', groupedBy('model'), (query, user) => {
			const rows = tokenRows(usage.tokens(query), user);
			return query.group_by ? tokenRowsByModel(rows) : rows;
		}),
		route('tools', groupedBy('tool_name')),
		route('activity', groupedBy('client')),
		route('productivity', z.strictObject(range)),
		route(
			'users',
			z.strictObject({...range, ...pageQuery}),
			// The cursor is a user's id; after the only user there are no more rows.
			({cursor, ...days}, user) =>
				cursor !== undefined && cursor >= user.id ? [] : userRows(usage.activity(days), user),
			{has_more: false, next_cursor: ''},
		),
	];
}

/** The range must end before today (UTC): the contract says today's date is refused. The offer allows it. */
function checkRange<T extends Query>(query: T): T {
	const includesToday = query.include_today !== undefined;
	const lastDay = lastDayAt(Date.now(), includesToday);
	const problem = `data is available up to ${includesToday ? 'today' : 'yesterday'} (UTC)`;
	if (query.startDate > lastDay) throw badField('startDate', problem);
	if (query.endDate > lastDay) throw badField('endDate', problem);
	if (query.startDate > query.endDate) throw badField('startDate', 'must not be after endDate');
	return query;
}

/** Rows of `/tokens`: what agents reported. Their billing is not this service's, so there are no billable tokens. */
function tokenRows(models: readonly ModelDay[], user: User): TokenRow[] {
	return [...Map.groupBy(models, ({date}) => date)].map(([date, ofDay]) => {
		const sum = (field: Exclude<keyof ModelDay, 'date' | 'model'>) =>
			ofDay.reduce((all, model) => all + (model[field] ?? 0), 0);
		const total = {input_tokens: sum('inputTokens'), output_tokens: sum('outputTokens')};
		const by_model = ofDay.flatMap(({model, inputTokens, outputTokens, cost}) =>
			model === undefined
				? []
				: {model_id: model, input_tokens: inputTokens, output_tokens: outputTokens, cost_usd: cost},
		);
		return {
			date,
			...total,
			cache_read_tokens: sum('cacheReadTokens'),
			cache_write_tokens: sum('cacheWriteTokens'),
			cost_usd: ofDay.some(({cost}) => cost !== undefined) ? sum('cost') : undefined,
			by_model,
			by_user: [{user_id: user.id, user_email: user.email, ...total, by_model}],
		};
	});
}

/** Rows of `/tokens` with `group_by=model`. */
function tokenRowsByModel(rows: readonly TokenRow[]): TokenRow[] {
	return rows.flatMap(({date, by_model = []}) =>
		by_model.map(({model_id, ...counts}) => ({date, group_key: model_id, ...counts})),
	);
}

/** Rows of `/users`: one per day with any activity; unknown fields are omitted. */
function userRows(
	days: readonly Pick<UserRow, 'date' | 'sessions' | 'user_messages' | 'assistant_messages'>[],
	{id, email}: User,
) {
	return days.map(day => ({
		user_id: id,
		user_email: email ?? null,
		...day,
		messages: (day.user_messages ?? 0) + (day.assistant_messages ?? 0),
	}));
}
