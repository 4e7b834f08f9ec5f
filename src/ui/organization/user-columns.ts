import {type ListedUser, nameOf} from '../../domain/organization/user.ts';
import {utcDayOf} from '../../domain/time.ts';
import type {Person} from '../../domain/usage/people.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import type {Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {type PageColumn, widestOf} from './page-columns.ts';

/** A user's email, or the id when there is none. */
export function userCell(user: ListedUser | undefined): readonly [Safe, Tone] {
	return [cleanLine(user ? userText(user) : '-', 120), user?.email === undefined ? 'dim' : 'text'];
}

export function userText({id, email}: Pick<ListedUser, 'id' | 'email'>): string {
	return email ?? `${id} (no email)`;
}

/** Like {@link userCell}, for a person from the usage data. */
export function personCell(person: Person | undefined): readonly [Safe, Tone] {
	return [cleanLine(person ? personText(person) : '-', 120), person?.email === undefined ? 'dim' : 'text'];
}

export function personText({userId, email}: Pick<Person, 'userId' | 'email'>): string {
	return userText({id: userId, ...(email !== undefined && {email})});
}

/** Identity columns for users by index, without usage. */
export function identityColumns(users: readonly ListedUser[]): readonly PageColumn<number>[] {
	return [
		{title: safe`USER`, width: 30, wanted: widestOf(users, userText), cell: user => userCell(users[user])},
		{title: safe`LAST SIGN-IN`, width: 12, cell: user => [dayText(users[user]?.lastSignInAt), 'strong']},
		{title: safe`JOINED`, width: 10, cell: user => [dayText(users[user]?.createdAt), 'dim']},
		{title: safe`NAME`, width: 20, wanted: widestOf(users, nameOf), cell: user => nameCell(users[user])},
	];
}

export function nameCell(user: ListedUser | undefined): readonly [Safe, Tone] {
	return [cleanLine((user && nameOf(user)) || '-', 80), 'text'];
}

/** A UTC day, or a dash when undefined. */
export function dayText(at: number | undefined): Safe {
	return cleanLine(at === undefined ? '-' : utcDayOf(at));
}
