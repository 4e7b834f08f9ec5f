import {z} from 'zod';
import {isRealDay, utcDayOf} from '../../domain/time.ts';
import type {DayRange} from '../../domain/usage/range.ts';
import {
	activityRows,
	activityRowsByClient,
	dayLength,
	productivityRows,
	spanOf,
	tokenRows,
	tokenRowsByModel,
	toolRows,
	toolRowsByName,
	userRows,
} from '../analytics.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseQuery} from '../http/fields.ts';
import {badField} from '../http/refusal.ts';
import {get, type Route} from '../http/router.ts';
import {readLocalUser} from '../local-user.ts';

const day = z.string().refine(isRealDay, {error: 'must be a date, YYYY-MM-DD'});
const range = {startDate: day, endDate: day};
const plainQuery = z.strictObject(range);
const tokenQuery = z.strictObject({...range, group_by: z.literal('model').optional()});
const toolQuery = z.strictObject({...range, group_by: z.literal('tool_name').optional()});
const activityQuery = z.strictObject({...range, group_by: z.literal('client').optional()});
const userQuery = z.strictObject({...range, ...pageQuery});

/** Serves analytics of recorded local activity, by UTC day. A day without records has no row. */
export function analyticsRoutes(context: LocalContext): Route[] {
	const {usage} = context.storage;
	const activityOf = (days: DayRange) => {
		const span = spanOf(days);
		return {
			messages: usage.messages({...span, from: span.from - 30 * dayLength}),
			sessionStarts: usage.sessionStarts(span),
		};
	};
	const workOf = (days: DayRange) => ({files: usage.fileChanges(days), commits: usage.commits(days)});
	const route = <Query extends DayRange>(
		name: string,
		schema: z.ZodType<Query>,
		rowsOf: (query: Query) => readonly unknown[] | Promise<readonly unknown[]>,
		more: object = {},
	) =>
		get(`/api/v1/analytics/${name}`, async request => {
			const query = checkRange(parseQuery(schema, request.query));
			const {startDate: start_date, endDate: end_date} = query;
			const {orgId: org_id} = context.storage.identity.get();
			return {data: await rowsOf(query), meta: {org_id, start_date, end_date, ...more}};
		});
	return [
		route('tokens', tokenQuery, async query => {
			const span = spanOf(query);
			const rows = tokenRows(usage.commands(span), usage.tokens(span), await readLocalUser(context));
			return query.group_by ? tokenRowsByModel(rows) : rows;
		}),
		route('tools', toolQuery, query =>
			(query.group_by ? toolRowsByName : toolRows)(usage.commands(spanOf(query))),
		),
		route('activity', activityQuery, query => {
			const rows = query.group_by ? activityRowsByClient : activityRows;
			return rows(activityOf(query), spanOf(query).from);
		}),
		route('productivity', plainQuery, query => productivityRows(workOf(query))),
		route(
			'users',
			userQuery,
			async query => {
				const user = await readLocalUser(context);
				// The cursor is a user's id; after the only user there are no more rows.
				if (query.cursor !== undefined && query.cursor >= user.id) return [];
				const span = spanOf(query);
				const commands = usage.commands(span);
				return userRows(
					{
						tokens: tokenRows(commands, usage.tokens(span), user),
						tools: toolRows(commands),
						activity: activityRows(activityOf(query), span.from),
						productivity: productivityRows(workOf(query)),
					},
					user,
				);
			},
			{has_more: false, next_cursor: ''},
		),
	];
}

/** The range must end before today (UTC): the contract says today's date is refused. */
function checkRange<T extends DayRange>(query: T): T {
	const today = utcDayOf(Date.now());
	if (query.startDate >= today) throw badField('startDate', 'data is available up to yesterday (UTC)');
	if (query.endDate >= today) throw badField('endDate', 'data is available up to yesterday (UTC)');
	if (query.startDate > query.endDate) throw badField('startDate', 'must not be after endDate');
	return query;
}
