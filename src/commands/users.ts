import {userColumns} from '../domain/sheets/users-sheet.ts';
import {createUserList, type ListedUser, textOfUser} from '../domain/user-list.ts';
import {age} from '../text/times.ts';
import {collect, completeness} from './collect.ts';
import type {CommandContext} from './context.ts';
import type {ExitCode} from './exit-codes.ts';
import {checkFormat, printObjects, printSheet, type SheetColumn} from './sheet.ts';

/** Users of the organization; with `--filter` those whose id, e-mail or name holds every word of it. */
export async function users(context: CommandContext): Promise<ExitCode> {
	const {flags, output, wiring, clock} = context;
	checkFormat(context);
	const words = (flags.text('filter') ?? '').toLowerCase().split(/\s+/);
	const service = await (await wiring()).connect();
	const read = await collect(context, 'users', service.users.list, ({id}) => id);
	const list = createUserList();
	for (const user of read.items) list.add(user);
	const wanted = list.users.filter(user => {
		const text = textOfUser(user).toLowerCase();
		return words.every(word => text.includes(word));
	});
	const ids = new Set(wanted.map(({id}) => id));
	if (output.isJson)
		printObjects(
			context,
			read.items.filter(({id}) => ids.has(id)),
		);
	else printSheet(context, {columns: columns(clock.now()), rows: wanted});
	return completeness(context, read);
}

/** How the columns look to people: times as ages. */
function columns(now: number): SheetColumn<ListedUser>[] {
	const since = (at: number | undefined) => age(at === undefined ? undefined : now - at);
	const looks: Readonly<Record<string, Partial<SheetColumn<ListedUser>>>> = {
		email: {grow: true},
		created_at: {show: ({createdAt}) => since(createdAt)},
		last_sign_in_at: {show: ({lastSignInAt}) => since(lastSignInAt)},
	};
	return userColumns.map(column => ({...column, ...looks[column.name]}));
}
