import {BoundedTextSet} from '../../api/bounded-text-set.ts';
import {pagesOf} from '../../api/pages.ts';
import {pageLimit} from '../../domain/limits.ts';
import {type ListedUser, listedUser, textOfUser, type User} from '../../domain/organization/user.ts';
import {userColumns} from '../../text/values/user-columns.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, limitOf, type OutputColumn} from '../output/print-rows.ts';
import {strings} from './strings.ts';

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
		none: strings.users.noUsers,
		noMatches: filter === undefined ? undefined : strings.users.none(filter),
	});
}

/** The columns of the table and CSV; `now` is Unix ms. */
function columns(now: number): OutputColumn<UserRow>[] {
	return userColumns
		.filter(({isUsage}) => !isUsage)
		.map(({name, value, show}) => ({
			name,
			value: ({listed}) => value(listed, undefined),
			...(show && {show: ({listed}: UserRow) => show(listed, now)}),
		}));
}
