import {
	createExportTable,
	type ExportCell,
	type ExportTable,
	type Rows,
} from '../../domain/export-tables/export-table.ts';
import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {utcDayOf} from '../../domain/time.ts';
import type {ActivityField} from '../../domain/usage/person-fields.ts';
import {cleanLine} from '../cells/clean.ts';
import type {Tone} from '../cells/line.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {textWidth} from '../cells/width.ts';
import {exactNumber} from './numbers.ts';
import {age} from './times.ts';

/** Gives a user's activity in a range of days; undefined if unknown. */
export type UserUsage = (field: ActivityField) => string | number | undefined;

type Usage = UserUsage | undefined;

/** One column of the users: in the command, in exports, and in the Users view. */
type UserColumn = {
	/** Its name in the command and in exports. */
	readonly name: string;
	/** Its value in exports, and in the command unless that shows it otherwise. */
	readonly value: (user: ListedUser, usage: Usage) => ExportCell;
	/** Only the screen and its exports know the activity. */
	readonly isUsage?: true;
	/** How the command's table shows it. `now` is Unix ms. */
	readonly show?: (user: ListedUser, now: number) => Safe;
	readonly screen?: ScreenColumn;
};

/** A column of the Users view. */
type ScreenColumn = {
	/** Position from the left; when room is short, the last columns are left out. */
	readonly rank: number;
	readonly title: Safe;
	readonly width: number;
	/** Its longest text gets room if there is any. */
	readonly text?: (user: ListedUser) => string;
	readonly isNumber?: boolean;
	/** The order that sorts by it, if there is one. */
	readonly order?: string;
	/** Without usage, the activity hasn't been read. */
	readonly cell: (user: ListedUser, usage: Usage, now: number, width: number) => readonly [Safe, Tone];
};

/** In the order of the command and of exports. */
export const userColumns: readonly UserColumn[] = [
	{
		name: 'id',
		value: ({id}) => id,
		screen: {rank: 8, title: safe`ID`, width: 26, cell: ({id}) => [cleanLine(id, 100), 'dim']},
	},
	{
		name: 'email',
		value: ({email}) => email,
		screen: {
			rank: 0,
			title: safe`USER`,
			width: 26,
			text: userText,
			order: 'email',
			cell: (user, _usage, _now, width) => userCell(user, width),
		},
	},
	{
		name: 'name',
		value: user => nameOf(user) || undefined,
		screen: {rank: 7, title: safe`NAME`, width: 18, text: nameOf, cell: nameCell},
	},
	{
		name: 'created_at',
		value: ({createdAt}) => timeOf(createdAt),
		show: ({createdAt}, now) => since(createdAt, now),
		screen: {
			rank: 6,
			title: safe`JOINED`,
			width: 10,
			order: 'createdAt',
			cell: ({createdAt}) => [dayText(createdAt), 'dim'],
		},
	},
	{
		name: 'last_sign_in_at',
		value: ({lastSignInAt}) => timeOf(lastSignInAt),
		show: ({lastSignInAt}, now) => since(lastSignInAt, now),
		screen: {
			rank: 1,
			title: safe`LAST SIGN-IN`,
			width: 13,
			isNumber: true,
			order: 'lastSignInAt',
			cell: ({lastSignInAt: at}, _, now) =>
				at === undefined ? [safe`-`, 'dim'] : [safe`${since(at, now)} ago`, 'strong'],
		},
	},
	{
		name: 'metadata',
		value: ({metadata}) => metadata && JSON.stringify(metadata),
		show: ({metadata}) => cleanLine(Object.keys(metadata ?? {}).join(', ') || '-', 60),
	},
	{
		name: 'last_day',
		value: (_, usage) => usage?.('last_day'),
		isUsage: true,
		screen: {
			rank: 2,
			title: safe`LAST ACTIVE`,
			width: 12,
			order: 'last_day',
			cell(_, usage) {
				if (!usage) return [safe`-`, 'dim'];
				if (usage('active_days') === undefined) return [safe`unknown`, 'dim'];
				const day = cleanLine(String(usage('last_day') ?? '-'));
				return usage('active_days') ? [day, 'text'] : [safe`○ inactive`, 'warn'];
			},
		},
	},
	activityColumn('active_days', 5, safe`DAYS`, 5),
	activityColumn('billable_tokens', 3, safe`CREDITS`, 12),
	activityColumn('sessions', 4, safe`SESSIONS`, 9),
];

/** An email, or the id when there is none. */
export function userText({id, email}: Pick<ListedUser, 'id' | 'email'>): string {
	return email ?? `${id} (no email)`;
}

/** The same in `width` columns: there may be room for the id only. */
export function userCell(
	user: Pick<ListedUser, 'id' | 'email'>,
	width = Number.POSITIVE_INFINITY,
): readonly [Safe, Tone] {
	const whole = cleanLine(userText(user), 120);
	const text = textWidth(whole) > width ? cleanLine(user.email ?? user.id, 120) : whole;
	return [text, user.email === undefined ? 'dim' : 'text'];
}

export function nameCell(user: ListedUser): readonly [Safe, Tone] {
	return [cleanLine(nameOf(user) || '-', 80), 'text'];
}

/** A UTC day, or a dash when undefined. */
export function dayText(at: number | undefined): Safe {
	return cleanLine(at === undefined ? '-' : utcDayOf(at));
}

/** A figure of the users' activity: dimmed for those without any. */
function activityColumn(name: ActivityField, rank: number, title: Safe, width: number): UserColumn {
	return {
		name,
		value: (_, usage) => usage?.(name),
		isUsage: true,
		screen: {
			rank,
			title,
			width,
			isNumber: true,
			order: name,
			cell: (_, usage) => [numberOrText(usage?.(name)), usage?.('active_days') ? 'text' : 'dim'],
		},
	};
}

/** A number in full, or text; a dash when undefined. */
export function numberOrText(value: string | number | undefined): Safe {
	return typeof value === 'string' ? cleanLine(value) : exactNumber(value);
}

function since(at: number | undefined, now: number): Safe {
	return age(at === undefined ? undefined : now - at);
}

function timeOf(at: number | undefined): string | undefined {
	return at === undefined ? undefined : new Date(at).toISOString();
}

/** The export of users, given by index in order, with usage where `usageOf` provides it. */
export function usersTable(
	name: string,
	users: readonly ListedUser[],
	rows: Rows<number>,
	usageOf?: (user: number) => UserUsage,
): ExportTable {
	const userOf = (index: number) => users[index] as ListedUser;
	const usageColumns = userColumns.filter(({isUsage}) => isUsage);
	return createExportTable<number>(
		name,
		userColumns
			.filter(({isUsage}) => usageOf || !isUsage)
			.map(column => ({
				name: column.name,
				value: index => column.value(userOf(index), usageOf?.(index)),
			})),
		rows,
		index => {
			const {createdAt, lastSignInAt, ...user} = userOf(index);
			const usage = usageOf?.(index);
			const values = usageColumns.map(column => [column.name, column.value(userOf(index), usage) ?? null]);
			return {
				...user,
				...(createdAt !== undefined && {createdAt: timeOf(createdAt)}),
				...(lastSignInAt !== undefined && {lastSignInAt: timeOf(lastSignInAt)}),
				...(usage && {quarterdeck: Object.fromEntries(values)}),
			};
		},
	);
}
