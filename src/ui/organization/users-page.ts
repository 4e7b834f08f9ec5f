import {instantOf} from '../../domain/time.ts';
import type {User} from '../../domain/user.ts';
import type {Organization} from '../../state/organization.ts';
import type {OrganizationReading} from '../../state/organization-reading.ts';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {age, dateTime} from '../../text/times.ts';
import {columnsHeading, columnsRow, fitColumns, type Page, type PageColumn, type PageSize} from './page.ts';
import {filterWords} from './readiness-page.ts';
import {figure, figures} from './usage-words.ts';

const month = 30 * 86_400_000;

/** The Users view: who belongs to the organization, the last sign-in first. */
export function usersPage(
	{users: {data}}: Organization,
	{words}: OrganizationReading,
	{width}: PageSize,
	now: number,
): Page | undefined {
	if (!data) return undefined;
	const wanted = (words.users ?? '').toLowerCase().split(' ').filter(Boolean);
	const rows = data
		.filter(user => {
			const text = [user.id, user.email, nameOf(user)].join(' ').toLowerCase();
			return wanted.every(word => text.includes(word));
		})
		.sort((a, b) => (signedIn(b) ?? 0) - (signedIn(a) ?? 0));
	const recent = data.filter(user => now - (signedIn(user) ?? 0) < month).length;
	const never = data.filter(user => signedIn(user) === undefined).length;
	const columns = fitColumns(columnsAt(now), Math.min(width, 150));
	return {
		title: [span(safe`Users`, 'heading'), ...filterWords(words.users)],
		head: [
			figures([
				figure(data.length, data.length === 1 ? safe`user` : safe`users`),
				figure(recent, safe`signed in within 30 days`),
				figure(never, safe`without a known sign-in`),
			]),
			[],
		],
		heading: columnsHeading(columns),
		count: rows.length,
		idOf: index => rows[index]?.id,
		row: index => columnsRow(columns, rows[index] as User),
		empty: [[span(data.length === 0 ? safe`The service names no users` : safe`Nobody is called so`, 'dim')]],
	};
}

function columnsAt(now: number): readonly PageColumn<User>[] {
	return [
		{
			title: safe`USER`,
			width: 26,
			grows: true,
			cell: user =>
				user.email === undefined
					? [safe`${cleanLine(user.id, 100)} (no e-mail)`, 'dim']
					: [cleanLine(user.email, 120)],
		},
		{
			title: safe`LAST SIGN-IN`,
			width: 12,
			isNumber: true,
			cell: user => {
				const at = signedIn(user);
				return at === undefined ? [safe`-`, 'dim'] : [safe`${age(now - at)} ago`, 'strong'];
			},
		},
		{title: safe`NAME`, width: 20, cell: user => [cleanLine(nameOf(user) || '-', 80), 'text']},
		{
			title: safe`JOINED`,
			width: 10,
			cell: user => [cleanLine(dateTime(instantOf(user.createdAt)).slice(0, 10)), 'dim'],
		},
		{title: safe`ID`, width: 26, cell: user => [cleanLine(user.id, 100), 'dim']},
	];
}

function signedIn(user: User): number | undefined {
	return instantOf(user.lastSignInAt);
}

function nameOf({firstName, lastName}: User): string {
	return [firstName, lastName].filter(Boolean).join(' ');
}
