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
	const commandsOf = (days: DayRange) => {
		const {from, to} = spanOf(days);
		return usage.commands(from, to);
	};
	const activityOf = (days: DayRange) => {
		const {from, to} = spanOf(days);
		return {
			messages: usage.messages(from - 30 * dayLength, to),
			sessionStarts: usage.sessionStarts(from, to),
		};
	};
	const workOf = ({startDate, endDate}: DayRange) => ({
		files: usage.fileChanges(startDate, endDate),
		commits: usage.commits(startDate, endDate),
	});
	const envelope = ({startDate, endDate}: DayRange, data: readonly unknown[], more: object = {}) => ({
		data,
		meta: {org_id: context.storage.identity.get().orgId, start_date: startDate, end_date: endDate, ...more},
	});
	const route = (name: string, handle: Route['handle']) => get(`/api/v1/analytics/${name}`, handle);
	return [
		route('tokens', async ({query}) => {
			const days = checkRange(parseQuery(tokenQuery, query));
			// Model usage is unknown, so there is nothing to group by model.
			const rows = days.group_by ? [] : tokenRows(commandsOf(days), await readLocalUser(context));
			return envelope(days, rows);
		}),
		route('tools', ({query}) => {
			const days = checkRange(parseQuery(toolQuery, query));
			return envelope(days, (days.group_by ? toolRowsByName : toolRows)(commandsOf(days)));
		}),
		route('activity', ({query}) => {
			const days = checkRange(parseQuery(activityQuery, query));
			const rows = days.group_by ? activityRowsByClient : activityRows;
			return envelope(days, rows(activityOf(days), spanOf(days).from));
		}),
		route('productivity', ({query}) => {
			const days = checkRange(parseQuery(plainQuery, query));
			return envelope(days, productivityRows(workOf(days)));
		}),
		route('users', async ({query}) => {
			const days = checkRange(parseQuery(userQuery, query));
			const user = await readLocalUser(context);
			const commands = commandsOf(days);
			const rows = userRows(
				{
					tokens: tokenRows(commands, user),
					tools: toolRows(commands),
					activity: activityRows(activityOf(days), spanOf(days).from),
					productivity: productivityRows(workOf(days)),
				},
				user,
			);
			// The cursor is a user's id; after the only user there are no more rows.
			const isBefore = days.cursor === undefined || days.cursor < user.id;
			return envelope(days, isBefore ? rows : [], {has_more: false, next_cursor: ''});
		}),
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
