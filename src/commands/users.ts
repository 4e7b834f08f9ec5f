import {instantOf} from '../domain/time.ts';
import type {User} from '../domain/user.ts';
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
	const list = await collect(context, 'users', service.users.list, ({id}) => id);
	const wanted = list.items.filter(user => {
		const text = [user.id, user.email, nameOf(user)].join(' ').toLowerCase();
		return words.every(word => text.includes(word));
	});
	if (output.isJson) printObjects(context, wanted);
	else printSheet(context, {columns: columns(clock.now()), rows: wanted});
	return completeness(context, list);
}

function columns(now: number): SheetColumn<User>[] {
	const since = (value: string | undefined) => {
		const at = instantOf(value);
		return age(at === undefined ? undefined : now - at);
	};
	return [
		{name: 'id', value: ({id}) => id},
		{name: 'email', grow: true, value: ({email}) => email},
		{name: 'name', value: nameOf},
		{name: 'created_at', value: ({createdAt}) => createdAt, show: ({createdAt}) => since(createdAt)},
		{
			name: 'last_sign_in_at',
			value: ({lastSignInAt}) => lastSignInAt,
			show: ({lastSignInAt}) => since(lastSignInAt),
		},
	];
}

function nameOf({firstName, lastName}: User): string | undefined {
	return [firstName, lastName].filter(Boolean).join(' ') || undefined;
}
