import {BoundedTextSet} from '../../api/bounded-text-set.ts';
import {pagesOf} from '../../api/pages.ts';
import {userColumns} from '../../domain/export-tables/users-table.ts';
import {pageLimit} from '../../domain/limits.ts';
import {type ListedUser, listedUser, textOfUser, type User} from '../../domain/organization/user.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {age} from '../../text/values/times.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, limitOf, type OutputColumn} from '../output/print-rows.ts';

type UserRow = {readonly user: User; readonly listed: ListedUser};

/** Prints the organization's users; `--filter` keeps those whose id, e-mail or name contains every word. */
export async function users(context: CommandContext): Promise<ExitCode> {
	const {flags, wiring, clock, signal} = context;
	checkFormat(context);
	const filter = flags.text('filter');
	const words = (filter ?? '').toLowerCase().split(/\s+/);
	const limit = filter === undefined ? Math.min(limitOf(context), pageLimit.max) : pageLimit.max;
	const service = await (await wiring()).connect();
	const printed = new BoundedTextSet();
	return printPages(context, {
		what: 'users',
		pages: pagesOf(service.users.list, {limit}, {signal}),
		rowsOf: items =>
			items
				.filter(({id}) => printed.add(id))
				.map((user): UserRow => ({user, listed: listedUser(user)}))
				.filter(({listed}) => {
					const text = textOfUser(listed).toLowerCase();
					return words.every(word => text.includes(word));
				}),
		linesOf: createRowFormatter(context, {columns: columns(clock.now()), objectOf: ({user}) => user}),
		nothing: filter === undefined ? undefined : `no user's id, email or name contains ${filter}`,
	});
}

/** Column formatting for the table: times as ages. */
function columns(now: number): OutputColumn<UserRow>[] {
	const since = (at: number | undefined) => age(at === undefined ? undefined : now - at);
	const looks: Readonly<Record<string, Partial<OutputColumn<UserRow>>>> = {
		email: {grow: true},
		created_at: {show: ({listed}) => since(listed.createdAt)},
		metadata: {show: ({listed}) => cleanLine(Object.keys(listed.metadata ?? {}).join(', ') || '-', 60)},
		last_sign_in_at: {show: ({listed}) => since(listed.lastSignInAt)},
	};
	return userColumns.map(({name, value}) => ({
		name,
		value: ({listed}: UserRow) => value(listed),
		...looks[name],
	}));
}
