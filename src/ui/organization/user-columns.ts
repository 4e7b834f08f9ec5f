import {utcDayOf} from '../../domain/time.ts';
import {type ListedUser, nameOf} from '../../domain/user-list.ts';
import {cleanLine} from '../../text/clean.ts';
import type {Tone} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import type {PageColumn} from './page.ts';

/** Who a user is: the e-mail, or the id of one without. */
export function userCell(user: ListedUser | undefined): readonly [Safe, Tone] {
	if (user?.email !== undefined) return [cleanLine(user.email, 120), 'text'];
	return [safe`${cleanLine(user?.id ?? '-', 100)} (no e-mail)`, 'dim'];
}

/** Users by their index, without what they did. */
export function userColumns(users: readonly ListedUser[]): readonly PageColumn<number>[] {
	return [
		{title: safe`USER`, width: 30, grows: true, cell: user => userCell(users[user])},
		{title: safe`LAST SIGN-IN`, width: 12, cell: user => [dayWords(users[user]?.lastSignInAt), 'strong']},
		{title: safe`JOINED`, width: 10, cell: user => [dayWords(users[user]?.createdAt), 'dim']},
		{title: safe`NAME`, width: 20, cell: user => nameCell(users[user])},
	];
}

export function nameCell(user: ListedUser | undefined): readonly [Safe, Tone] {
	return [cleanLine((user && nameOf(user)) || '-', 80), 'text'];
}

/** A UTC day; a dash for what is no time. */
export function dayWords(at: number | undefined): Safe {
	return cleanLine(at === undefined ? '-' : utcDayOf(at));
}
