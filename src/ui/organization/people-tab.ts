import {instantOf, utcDayOf} from '../../domain/time.ts';
import type {ActiveUser} from '../../domain/usage/membership.ts';
import type {People, PersonMeasure} from '../../domain/usage/people.ts';
import {orderPeople} from '../../domain/usage/people-order.ts';
import type {User} from '../../domain/user.ts';
import type {PeopleData} from '../../state/organization.ts';
import type {OrganizationReading, PeopleGroup} from '../../state/organization-reading.ts';
import {heatMap} from '../../text/charts/heat-map.ts';
import {cleanLine} from '../../text/clean.ts';
import {type Line, span} from '../../text/line.ts';
import {exactNumber} from '../../text/numbers.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {columnsHeading, columnsRow, fitColumns, type Page, type PageColumn, type PageSize} from './page.ts';
import {dayIndex, figure, figures} from './usage-words.ts';

/** Least columns of the heat map of days. */
const leastHeat = 14;

/** The people of a range: a table in any order with a heat map by day, or those who did nothing, joined or left. */
export function peopleTab(data: PeopleData, reading: OrganizationReading, size: PageSize): Page {
	const {membership} = data;
	const groups: readonly (readonly [PeopleGroup, number, Safe])[] = [
		['active', data.people.people.filter(({activeDays}) => activeDays > 0).length, safe`active`],
		['inactive', membership.inactive.length, safe`inactive`],
		['new', membership.joined.length, safe`new`],
		['unlisted', membership.unlisted.length, safe`not among the users`],
	];
	const head: Line[] = [
		figures(
			groups.map(([group, count, name]) =>
				group === reading.group ? [span(safe`▸ ${count} ${name}`, 'accent')] : figure(count, name),
			),
		),
		[],
	];
	switch (reading.group) {
		case 'active':
			return activePage(data, reading, size, head);
		case 'inactive':
			return usersPage(membership.inactive, size, head, safe`Everyone was active`);
		case 'new':
			return usersPage(membership.joined, size, head, safe`Nobody joined in these days`);
		case 'unlisted':
			return unlistedPage(membership.unlisted, size, head);
	}
}

const columnNames = [
	['billable_tokens', safe`CREDITS`, 12],
	['activeDays', safe`DAYS`, 5],
	['sessions', safe`SESSIONS`, 8],
	['user_messages', safe`TURNS`, 7],
	['tool_calls', safe`CALLS`, 8],
	['autonomy', safe`CALLS/TURN`, 10],
	['lastDay', safe`LAST DAY`, 10],
] as const;

function activePage(
	{people}: PeopleData,
	{order, isAscending, words: filters, back}: OrganizationReading,
	{width}: PageSize,
	head: readonly Line[],
): Page {
	const wanted = (filters.usage ?? '').toLowerCase().split(' ').filter(Boolean);
	const isShown = (index: number) => {
		const {email = '', userId, activeDays} = people.people[index] ?? {userId: '', activeDays: 0};
		const text = `${email} ${userId}`.toLowerCase();
		return activeDays > 0 && wanted.every(word => text.includes(word));
	};
	const rows = orderPeople(people, order, isAscending ? 'ascending' : 'descending').filter(isShown);
	const mark = isAscending ? safe`▲` : safe`▼`;
	// What the table is ordered by is never the column that gives way.
	const named = [...columnNames].sort((a, b) => Number(b[0] === order) - Number(a[0] === order));
	const columns: PageColumn<number>[] = [
		{
			title: order === 'email' ? safe`USER ${mark}` : safe`USER`,
			width: 22,
			grows: true,
			cell: index => nameCell(people, index),
		},
		...named.map(
			([key, title, columnWidth]): PageColumn<number> => ({
				title: key === order ? safe`${title}${mark}` : title,
				width: key === order ? columnWidth + 1 : columnWidth,
				isNumber: true,
				cell: index => [figureOf(people, index, key), key === order ? 'strong' : 'text'],
			}),
		),
	];
	const days = people.dates.length;
	const day = dayIndex(days, back);
	columns.splice(2, 0, {
		title: safe`ON ${cleanLine(people.dates[day]?.slice(5) ?? '-')}`,
		width: 10,
		isNumber: true,
		cell: index => [exactNumber(people.value(index, 'billable_tokens', day)), 'dim'],
	});
	const heat = Math.min(days, Math.max(leastHeat, Math.min(days, width - 64)));
	const fitted = fitColumns(columns, Math.min(120, width - heat - 2));
	const labels = people.dates.map(date => cleanLine(date));
	const top = largestDay(people);
	return {
		title: [],
		head: [
			...head,
			[
				span(safe`Cells: credits by day, to ${labels.at(-1) ?? safe`-`}; marked: `, 'dim'),
				span(labels[day] ?? safe`-`, 'strong'),
				span(safe`  ┄ unknown  · none`, 'dim'),
			],
		],
		heading: columnsHeading(fitted),
		count: rows.length,
		idOf: index => people.people[rows[index] ?? -1]?.userId,
		row(index) {
			const person = rows[index] ?? 0;
			const values = people.dates.map((_, day) => people.value(person, 'billable_tokens', day));
			const [cells = []] = heatMap(
				{columns: labels, rows: [{label: safe``, values}], top},
				{width: heat + 1, labelWidth: 0, selected: {row: 0, column: day}},
			);
			return [...columnsRow(fitted, person), span(safe` `), ...cells];
		},
		empty: [
			[span(wanted.length > 0 ? safe`Nobody is called so` : safe`Nobody was active in these days`, 'dim')],
		],
	};
}

function nameCell(people: People, index: number): readonly [Safe, 'text' | 'dim'] {
	const person = people.people[index];
	if (person?.email !== undefined) return [cleanLine(person.email, 120), 'text'];
	return [safe`${cleanLine(person?.userId ?? '-', 120)} (no e-mail)`, 'dim'];
}

function figureOf(
	people: People,
	index: number,
	key: PersonMeasure | 'autonomy' | 'lastDay' | 'activeDays',
): Safe {
	const person = people.people[index];
	if (key === 'lastDay') return cleanLine(person?.lastDay ?? '-');
	if (key === 'activeDays') return exactNumber(person?.activeDays);
	return exactNumber(key === 'autonomy' ? people.autonomy(index) : people.total(index, key));
}

const largest = new WeakMap<People, number>();

/** The most anyone came to on a day: what all shades are a part of. Looked for once. */
function largestDay(people: People): number {
	const known = largest.get(people);
	if (known !== undefined) return known;
	let top = 0;
	for (let index = 0; index < people.people.length; index++)
		for (let day = 0; day < people.dates.length; day++)
			top = Math.max(top, people.value(index, 'billable_tokens', day) ?? 0);
	largest.set(people, top);
	return top;
}

function usersPage(users: readonly User[], {width}: PageSize, head: readonly Line[], none: Safe): Page {
	const dayOf = (value: string | undefined) => {
		const at = instantOf(value);
		return cleanLine(at === undefined ? '-' : utcDayOf(at));
	};
	const columns = fitColumns<User>(
		[
			{title: safe`USER`, width: 30, grows: true, cell: user => [cleanLine(user.email ?? user.id, 120)]},
			{title: safe`LAST SIGN-IN`, width: 12, cell: user => [dayOf(user.lastSignInAt), 'strong']},
			{title: safe`JOINED`, width: 10, cell: user => [dayOf(user.createdAt), 'dim']},
		],
		Math.min(width, 110),
	);
	return {
		title: [],
		head,
		heading: columnsHeading(columns),
		count: users.length,
		idOf: index => users[index]?.id,
		row: index => columnsRow(columns, users[index] as User),
		empty: [[span(none, 'dim')]],
	};
}

function unlistedPage(users: readonly ActiveUser[], {width}: PageSize, head: readonly Line[]): Page {
	const columns = fitColumns<ActiveUser>(
		[
			{title: safe`USER`, width: 30, grows: true, cell: user => [cleanLine(user.email ?? user.userId, 120)]},
			{title: safe`LAST DAY`, width: 10, cell: user => [cleanLine(user.lastDay ?? '-'), 'strong']},
		],
		Math.min(width, 110),
	);
	return {
		title: [],
		head: [
			...head,
			[span(safe`Active, and no user of the organization: people who left, and programs`, 'dim')],
		],
		heading: columnsHeading(columns),
		count: users.length,
		idOf: index => users[index]?.userId,
		row: index => columnsRow(columns, users[index] as ActiveUser),
		empty: [[span(safe`Everyone who was active is a user of the organization`, 'dim')]],
	};
}
