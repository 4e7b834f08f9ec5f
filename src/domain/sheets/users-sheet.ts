import {type ListedUser, nameOf} from '../user-list.ts';
import type {DataColumn, Rows, Sheet} from './sheet.ts';
import {sheetOf} from './sheet.ts';

/** What a user did in a range of days; what is absent is unknown. */
export type UserUsage = {
	readonly lastDay?: string | undefined;
	readonly activeDays?: number | undefined;
	readonly credits?: number | undefined;
	readonly sessions?: number | undefined;
};

const usageColumns = [
	{name: 'last_day', value: ({lastDay}) => lastDay},
	{name: 'active_days', value: ({activeDays}) => activeDays},
	{name: 'billable_tokens', value: ({credits}) => credits},
	{name: 'sessions', value: ({sessions}) => sessions},
] as const satisfies readonly DataColumn<UserUsage>[];

/** Users by their index, in the order that is given; with what they did where `usageOf` tells it. */
export function usersSheet(
	name: string,
	users: readonly ListedUser[],
	rows: Rows<number>,
	usageOf?: (user: number) => UserUsage,
): Sheet {
	const time = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
	const columns: DataColumn<number>[] = [
		{name: 'id', value: index => users[index]?.id},
		{name: 'email', value: index => users[index]?.email},
		{name: 'name', value: index => (users[index] && nameOf(users[index])) || undefined},
		{name: 'created_at', value: index => time(users[index]?.createdAt)},
		{name: 'last_sign_in_at', value: index => time(users[index]?.lastSignInAt)},
		...(usageOf
			? usageColumns.map(
					(column): DataColumn<number> => ({
						name: column.name,
						value: index => column.value(usageOf(index)),
					}),
				)
			: []),
	];
	return sheetOf(name, columns, rows, index => {
		const {createdAt, lastSignInAt, ...user} = users[index] ?? {id: undefined};
		const usage = usageOf?.(index);
		return {
			...user,
			...(createdAt !== undefined && {createdAt: time(createdAt)}),
			...(lastSignInAt !== undefined && {lastSignInAt: time(lastSignInAt)}),
			...(usage && {
				quarterdeck: Object.fromEntries(
					usageColumns.map(({name: key, value}) => [key, value(usage) ?? null]),
				),
			}),
		};
	});
}
