import {createExportTable, type ExportTable} from '../../domain/export-table.ts';
import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {utcDayOf} from '../../domain/time.ts';
import type {ActivityField} from '../../domain/usage/people.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {age, isoTime} from '../../text/values/times.ts';
import {type Column, type ColumnSize, numberIn, type TableContext, withOurs} from '../rows/column.ts';

/** Gives a user's activity in a range of days; undefined if unknown. */
type UserUsage = (field: ActivityField) => string | number | undefined;

/** A user; without usage, the activity hasn't been read. */
export type UserRow = {readonly user: ListedUser; readonly usage?: UserUsage | undefined};

/** `places`: the most decimal places of anyone's credits. */
type UserContext = TableContext & {readonly places?: number};

type UserColumn = Column<UserRow, UserContext> & {
	/** Only the screen and its exports know the activity. */
	readonly isUsage?: true;
};

/** Every column of a user, in the order of the screen, of exports and of `users`. */
export const userColumns: readonly UserColumn[] = [
	{
		name: 'email',
		title: safe`USER`,
		value: ({user}) => user.email,
		sortKey: ({user}) => user.email ?? user.id,
		size: textSize(26, 0),
		text: ({user}) => userText(user),
		cell({user}, _, width) {
			return [span(userCell(user, width), user.email === undefined ? 'dim' : 'text')];
		},
	},
	{
		name: 'last_sign_in_at',
		title: safe`LAST SIGN-IN`,
		isNumber: true,
		value: ({user}) => isoTime(user.lastSignInAt),
		size: {width: 13, rank: 1},
		cell: ({user: {lastSignInAt: at}}, {now}) =>
			at === undefined ? [span(safe`-`, 'dim')] : [span(safe`${age(now - at)} ago`, 'strong')],
	},
	{
		name: 'last_day',
		title: safe`LAST ACTIVE`,
		isUsage: true,
		isNumber: true,
		value: ({usage}) => usage?.('last_day'),
		json: ({usage}) => usage?.('last_day') ?? null,
		size: {width: 12, rank: 2},
		cell({usage}) {
			if (!usage) return [span(safe`-`, 'dim')];
			if (usage('active_days') === undefined) return [span(safe`unknown`, 'dim')];
			if (!usage('active_days')) return [span(safe`○ inactive`, 'warn')];
			return [span(cleanLine(String(usage('last_day') ?? '-')), 'text')];
		},
	},
	usageColumn('billable_tokens', safe`CREDITS`, {width: 12, rank: 3}),
	usageColumn('sessions', safe`SESSIONS`, {width: 9, rank: 4}),
	usageColumn('active_days', safe`DAYS`, {width: 5, rank: 5}),
	{
		name: 'created_at',
		title: safe`JOINED`,
		isNumber: true,
		value: ({user}) => isoTime(user.createdAt),
		size: {width: 10, rank: 6},
		cell: ({user}) => [span(dayText(user.createdAt), 'dim')],
	},
	{
		name: 'name',
		value: ({user}) => nameOf(user) || undefined,
		size: textSize(18, 7),
		cell: ({user}) => [span(cleanLine(nameOf(user) || '-', 80), 'text')],
	},
	{name: 'id', value: ({user}) => user.id, size: {width: 26, rank: 8}, show: ({user}) => cleanLine(user.id)},
	{
		name: 'metadata',
		value: ({user}) => user.metadata && JSON.stringify(user.metadata),
		cell: ({user}) => [span(cleanLine(Object.keys(user.metadata ?? {}).join(', ') || '-', 60))],
	},
];

export const listedUserColumns = userColumns.filter(({isUsage}) => !isUsage);

/** Columns of text share the room that is left. */
function textSize(width: number, rank: number): UserColumn['size'] {
	return (_, widest) => ({width, max: widest, rank, growAfter: 10});
}

/** A figure of the users' activity: dimmed for those without any. */
function usageColumn(name: ActivityField, title: Safe, size: ColumnSize): UserColumn {
	return {
		name,
		title,
		isUsage: true,
		isNumber: true,
		value: ({usage}) => usage?.(name),
		json: ({usage}) => usage?.(name) ?? null,
		size,
		cell({usage}, {places}, width) {
			const figure = usage?.(name);
			const decimals = name === 'billable_tokens' ? places : 0;
			return [
				span(
					typeof figure === 'string' ? cleanLine(figure) : numberIn(figure, width, decimals),
					usage?.('active_days') ? 'text' : 'dim',
				),
			];
		},
	};
}

export function userText({id, email}: ListedUser): string {
	return email ?? `${id} (no email)`;
}

/** The same in `width` columns: there may be room for the id only. */
export function userCell(user: ListedUser, width = Number.POSITIVE_INFINITY): Safe {
	const whole = cleanLine(userText(user), 120);
	return textWidth(whole) > width ? cleanLine(user.email ?? user.id, 120) : whole;
}

/** A UTC day, or a dash when undefined. */
function dayText(at: number | undefined): Safe {
	return cleanLine(at === undefined ? '-' : utcDayOf(at));
}

/** A number in full, or text; a dash when undefined. */
export function numberOrText(value: string | number | undefined): Safe {
	return typeof value === 'string' ? cleanLine(value) : exactNumber(value);
}

export function usersTable(
	name: string,
	rows: readonly UserRow[],
	columns: readonly UserColumn[] = listedUserColumns,
): ExportTable {
	return createExportTable(name, columns, rows, row => {
		const {createdAt, lastSignInAt, ...user} = row.user;
		const times = {
			createdAt: createdAt === undefined ? undefined : isoTime(createdAt),
			lastSignInAt: lastSignInAt === undefined ? undefined : isoTime(lastSignInAt),
		};
		return withOurs({...user, ...times}, columns, row);
	});
}
