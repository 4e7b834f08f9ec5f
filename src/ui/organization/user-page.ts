import {usersSheet} from '../../domain/sheets/users-sheet.ts';
import {nameOf} from '../../domain/user-list.ts';
import type {JoinedUsers} from '../../state/joined-users.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';
import {type Page, type PageSize, textPage, withRange} from './page.ts';
import {personPage} from './person-page.ts';
import {usageOf} from './usage-of.ts';
import {figures} from './usage-words.ts';
import {dayWords, userCell} from './user-columns.ts';

/** One user of the organization: who that is, and what they did in a range where that is known. */
export function userPage(
	joined: JoinedUsers,
	index: number,
	back: number,
	size: PageSize,
	now: number,
): Page {
	const {users, usage} = joined;
	const user = users[index];
	const fact = (name: Safe, value: Safe): Line => [span(safe`${name} `, 'dim'), span(value, 'strong')];
	const signedIn = user?.lastSignInAt;
	const name = user ? nameOf(user) : '';
	const about: Line[] = [
		figures([
			...(name === '' ? [] : [[span(cleanLine(name, 80), 'strong')]]),
			fact(safe`last sign-in`, signedIn === undefined ? safe`not known` : safe`${age(now - signedIn)} ago`),
			fact(safe`joined`, dayWords(user?.createdAt)),
			fact(safe`id`, cleanLine(user?.id ?? '-', 100)),
		]),
	];
	const person = usage?.membership.personOf(index);
	const userId = person === undefined ? undefined : usage?.people.people[person]?.userId;
	if (usage && userId !== undefined) {
		const one = personPage(usage, userId, back, {...size, height: size.height - about.length});
		if (one) return withRange({...one, head: [...about, ...one.head]}, usage.range, {view: 'users'});
	}
	const nothing = usage ? safe`No activity in these days` : safe`What users did is not known here`;
	return {
		...textPage([span(...userCell(user))], about, [[], [span(nothing, 'dim')]]),
		data: () => ({
			name: 'user',
			...(usage && {range: usage.range}),
			facts: {view: 'users'},
			sheets: [usersSheet('users', users, [index], usageOf(joined))],
		}),
	};
}
