import {z} from 'zod';
import type {TokenRow, UserRow} from '../../domain/organization/analytics.ts';
import type {User} from '../../domain/organization/user.ts';
import {isRealDay} from '../../domain/time.ts';
import {type DayRange, lastDayAt} from '../../domain/usage/range.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {badField} from '../http/refusal.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';
import type {ModelDay} from '../storage/usage.ts';

const day = z.string().refine(isRealDay, {error: 'must be a date, YYYY-MM-DD'});
const range = {startDate: day, endDate: day, include_today: z.literal('true').optional()};
const groupedBy = <Group extends string>(group: Group) =>
	z.strictObject({...range, group_by: z.literal(group).optional()});

type Query = DayRange & {readonly include_today?: 'true' | undefined};

/**
 * Serves the tokens that agents reported, and the user's messages and sessions, by UTC day. It knows nothing of the
 * other families. A day without records has no row.
 */
export function analyticsRoutes(context: LocalContext): Route[] {
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
