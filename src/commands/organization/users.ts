import {BoundedTextSet, pagesOf} from '../../api/pages.ts';
import {pageLimit} from '../../domain/limits.ts';
import {listedUser, type User} from '../../domain/organization/user.ts';
import {listedUserColumns, type UserRow} from '../../state/organization/user-columns.ts';
import {withOurs, wordsOf} from '../../state/rows/column.ts';
import type {CommandContext} from '../cli/context.ts';
import type {ExitCode} from '../cli/errors.ts';
import {printPages} from '../output/print-pages.ts';
import {checkFormat, createRowFormatter, limitOf, outputColumns} from '../output/print-rows.ts';
import {strings} from './strings.ts';

/** A row, and the user as the service told it. */
type ToldUser = UserRow & {readonly told: User};

/** Prints the organization's users; `--filter` keeps those whose id, e-mail, name or metadata contains every word. */
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
				.map((told): ToldUser => ({told, user: listedUser(told)}))
				.filter(row => {
					const text = wordsOf(listedUserColumns, row).toLowerCase();
					return words.every(word => text.includes(word));
				}),
		linesOf: createRowFormatter<ToldUser>(context, {
			columns: outputColumns(listedUserColumns, {now: clock.now()}),
			objectOf: row => withOurs(row.told, listedUserColumns, row),
		}),
		none: strings.users.noUsers,
		noMatches: filter === undefined ? undefined : strings.users.none(filter),
	});
}
