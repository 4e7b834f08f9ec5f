import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import type {JoinedUsers} from '../../state/joined-users.ts';
import type {Organization} from '../../state/organization.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {settingTree} from '../../text/values/setting-tree.ts';
import {age, utcTime} from '../../text/values/times.ts';
import {userCell, usersTable} from '../../text/values/user-columns.ts';
import {figureLines, type Page, type PageSize, section, textPage, withLines, withRange} from './page.ts';
import {personPage} from './person-page.ts';
import {usageOf} from './users-page.ts';

/** `2026-03-01 08:00:00 UTC (3d ago)`. */
function timeText(at: number | undefined, now: number): Safe {
	return at === undefined ? safe`not known` : safe`${utcTime(at)} (${age(now - at)} ago)`;
}

/** The user's metadata, as the service returns it. */
function metadataLines(user: ListedUser | undefined, width: number): Line[] {
	if (!user?.metadata) return [];
	const text = cleanText(settingTree(user.metadata), {maxLength: maxMetadataLength});
	return section(
		safe`Metadata`,
		wrapText(text, width).map(row => [span(row)]),
	);
}

const maxMetadataLength = 20_000;

/** One user of the organization: identity, and usage in a range when known. */
export function userPage(
	organization: Organization,
	joined: JoinedUsers,
	index: number,
	back: number,
	size: PageSize,
	now: number,
): Page {
	const {users, usage} = joined;
	const user = users[index];
	const fact = (name: Safe, value: Safe): Line => [span(safe`${name} `, 'dim'), span(value, 'strong')];
	const name = user ? nameOf(user) : '';
	const about: Line[] = [
		...figureLines(
			[
				...(name === '' ? [] : [[span(cleanLine(name, 80), 'strong')]]),
				fact(safe`last sign-in`, timeText(user?.lastSignInAt, now)),
				fact(safe`joined`, timeText(user?.createdAt, now)),
				fact(safe`id`, cleanLine(user?.id ?? '-', 100)),
			],
			size.width,
		),
	];
	const metadata = metadataLines(user, size.width);
	const person = usage?.membership.personOf(index);
	const userId = person === undefined ? undefined : usage?.people.people[person]?.userId;
	if (usage && userId !== undefined) {
		const room = {...size, height: size.height - about.length};
		const one = personPage(organization, usage, userId, back, room);
		if (one) {
			const page = withLines({...one, head: [...about, ...one.head]}, metadata);
			const data = () => {
				const own = one.data?.();
				const table = usersTable('user', users, [index], usageOf(joined));
				return {name: 'user', selection: {}, ...own, tables: [...(own?.tables ?? []), table]};
			};
			return withRange({...page, data}, usage.range, {view: 'users'});
		}
	}
	const nothing = usage ? safe`No activity on these days` : safe`User activity has not been read yet`;
	return {
		...textPage([span(...userCell(users[index] as ListedUser))], about, [
			[],
			[span(nothing, 'dim')],
			[],
			...metadata,
		]),
		data: () => ({
			name: 'user',
			...(usage && {range: usage.range}),
			selection: {view: 'users'},
			tables: [usersTable('users', users, [index], usageOf(joined))],
		}),
	};
}
