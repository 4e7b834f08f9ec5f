import {type ListedUser, nameOf} from '../organization/user.ts';
import {createExportTable, type ExportColumn, type ExportTable, type Rows} from './export-table.ts';

/** A user's activity in a range of days. Absent fields are unknown. */
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
] as const satisfies readonly ExportColumn<UserUsage>[];

/** Columns that identify a user, shared by the screen's export and the command's table. */
export const userColumns: readonly ExportColumn<ListedUser>[] = [
	{name: 'id', value: ({id}) => id},
	{name: 'email', value: ({email}) => email},
	{name: 'name', value: user => nameOf(user) || undefined},
	{name: 'created_at', value: ({createdAt}) => timeOf(createdAt)},
	{name: 'last_sign_in_at', value: ({lastSignInAt}) => timeOf(lastSignInAt)},
	{name: 'metadata', value: ({metadata}) => metadata && JSON.stringify(metadata)},
];

/** Table of users, given by index in order, with usage where `usageOf` provides it. */
export function usersTable(
	name: string,
	users: readonly ListedUser[],
	rows: Rows<number>,
	usageOf?: (user: number) => UserUsage,
): ExportTable {
	const columns: ExportColumn<number>[] = [
		...userColumns.map(
			({name: column, value}): ExportColumn<number> => ({
				name: column,
				value: index => users[index] && value(users[index]),
			}),
		),
		...(usageOf
			? usageColumns.map(
					(column): ExportColumn<number> => ({
						name: column.name,
						value: index => column.value(usageOf(index)),
					}),
				)
			: []),
	];
	return createExportTable(name, columns, rows, index => {
		const {createdAt, lastSignInAt, ...user} = users[index] ?? {id: undefined};
		const usage = usageOf?.(index);
		return {
			...user,
			...(createdAt !== undefined && {createdAt: timeOf(createdAt)}),
			...(lastSignInAt !== undefined && {lastSignInAt: timeOf(lastSignInAt)}),
			...(usage && {
				quarterdeck: Object.fromEntries(
					usageColumns.map(({name: key, value}) => [key, value(usage) ?? null]),
				),
			}),
		};
	});
}

function timeOf(at: number | undefined): string | undefined {
	return at === undefined ? undefined : new Date(at).toISOString();
}
