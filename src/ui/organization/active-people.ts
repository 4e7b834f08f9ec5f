import {peopleTables} from '../../domain/export-tables/people-tables.ts';
import type {People, Person} from '../../domain/usage/people.ts';
import {creditPlaces, personValue} from '../../domain/usage/person-fields.ts';
import type {PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {peopleRows} from '../../state/organization/people-rows.ts';
import {numberOrText, userCell, userText} from '../../state/organization/user-columns.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {describeHeatMap} from '../../text/charts/describe.ts';
import {createHeatMap} from '../../text/charts/heat-map.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {tableHeading, tableRow} from '../kit/columns.ts';
import type {Page, PageSize} from './page.ts';
import {fitColumns, type PageColumn, tableColumns, widestOf} from './page-columns.ts';
import {strings} from './strings.ts';
import {dayIndex} from './tab-blocks.ts';

const text = strings.people;

/** Minimum widths, in columns, of the daily heat map and of the table beside it. */
const minHeatWidth = 14;
const minTableWidth = 62;

/** The columns after the name, and their widths. */
const figureColumns = [
	['billable_tokens', 12],
	['active_days', 5],
	['sessions', 8],
	['user_messages', 7],
	['tool_calls', 8],
	['autonomy_ratio', 10],
	['last_day', 10],
] as const;

/** A column with a figure of each person. */
export function figureColumn(
	people: People,
	field: (typeof figureColumns)[number][0],
	width: number,
	tone: Tone = 'text',
): PageColumn<number> {
	return {
		title: strings.columns[field],
		width,
		isNumber: true,
		...(field === 'billable_tokens' && {places: creditPlaces(people)}),
		cell: person => [numberOrText(personValue(people, person, field)), tone],
	};
}

/** The people active in a range: a sortable table, and a heat map of their daily credits. */
export function activePeople(
	{people}: PeopleData,
	{order, isAscending, filters: {usage: filter = ''}, daysBack}: OrganizationViewState,
	{width, isAscii, isScreenReader}: PageSize,
	head: readonly Line[],
): Page {
	const direction = isAscending ? 'ascending' : 'descending';
	const rows = peopleRows(people, {
		order,
		direction,
		words: filter,
		group: {name: 'active', has: person => (people.people[person]?.activeDays ?? 0) > 0},
	});
	const day = dayIndex(people.dates.length, daysBack);
	const labels = people.dates.map(date => cleanLine(date));
	const heat = createHeatMap(labels, {
		width: Math.max(minHeatWidth, width - minTableWidth),
		tops: people.quarters,
		selected: day,
		...(isAscii && {isAscii}),
	});
	const dayColumns = tableColumns([dayColumn(people, day)]);
	const dayWidth = lineWidth(tableHeading(dayColumns));
	const room = isScreenReader ? width : width - heat.width - 2;
	const columns = fitColumns(columnsOf(people, order, isAscending), room - dayWidth - 2);
	const explanation: Line[] = isScreenReader
		? wrapText(spokenHeat(people), width).map(row => [span(row)])
		: [legendLine(labels[day] ?? safe`-`, heat.legend, width)];
	// The selected day's column comes last, so its width shifts nothing.
	const withHeat = (cells: Line, figure: Line): Line => [
		...(isScreenReader ? [] : [span(safe`  `), ...cells]),
		span(safe`  `),
		...figure,
	];
	return {
		title: [],
		head: [...head, ...explanation],
		heading: [
			...tableHeading(columns),
			...withHeat(padLine(heat.labels, heat.width), tableHeading(dayColumns)),
		],
		count: rows.length,
		idOf: index => people.people[rows[index] ?? -1]?.userId,
		row(index) {
			const person = rows[index] ?? -1;
			return [
				...tableRow(columns, person),
				...withHeat(
					isScreenReader ? [] : heat.row(column => people.credits(person, column)),
					tableRow(dayColumns, person),
				),
			];
		},
		data: () => ({
			name: 'usage-people',
			selection: {order, direction, filter},
			tables: peopleTables(people, rows),
		}),
		empty: [[span(emptyText(people, filter), 'dim')]],
	};
}

function emptyText({knownDays}: People, filter: string): Safe {
	if (filter) return strings.noMatches;
	return knownDays > 0 ? text.noActive : strings.usage.noData;
}

/** The selected day and what the cells mean, shortened if it doesn't fit `width`. */
function legendLine(day: Safe, legend: Line, width: number): Line {
	const line: Line = [
		span(text.creditsOf, 'dim'),
		span(day, 'strong'),
		span(text.selectedDay, 'dim'),
		...legend,
	];
	return lineWidth(line) <= width ? line : [span(day, 'strong'), span(text.selected, 'dim'), ...legend];
}

function spokenHeat({people, dates, largest, knownDays}: People): Safe {
	const person = people[largest?.person ?? -1];
	return describeHeatMap(text.spoken, {
		rows: people.length,
		columns: dates.length,
		unknownColumns: dates.length - knownDays,
		largest: largest && {
			row: cleanLine(person?.email ?? person?.userId ?? '-', 120),
			column: cleanLine(dates[largest.day] ?? '-'),
			value: largest.credits,
		},
	});
}

/** The table's columns, the sort column first so that it is never dropped. */
function columnsOf(
	people: People,
	order: OrganizationViewState['order'],
	isAscending: boolean,
): readonly PageColumn<number>[] {
	const mark = isAscending ? safe`▲` : safe`▼`;
	const sortedFirst = figureColumns.toSorted((a, b) => Number(b[0] === order) - Number(a[0] === order));
	const columns = sortedFirst.map(([field, width]) => {
		if (field !== order) return figureColumn(people, field, width);
		const column = figureColumn(people, field, width + 1, 'strong');
		return {...column, title: safe`${column.title}${mark}`};
	});
	return [
		{
			title: order === 'user_email' ? safe`${text.user} ${mark}` : text.user,
			width: 22,
			fullWidth: widestOf(people.people, personText),
			cell: (person, own) => personCell(people.people[person], own),
		},
		...columns,
	];
}

/** Each person's credits on the selected day. */
function dayColumn(people: People, day: number): PageColumn<number> {
	return {
		title: text.onDay(cleanLine(people.dates[day]?.slice(5) ?? '-')),
		width: 10,
		isNumber: true,
		cell: person => [exactNumber(people.credits(person, day)), 'dim'],
	};
}

/** A person's email, or the id when there is none. */
export function personText({userId, email}: Pick<Person, 'userId' | 'email'>): string {
	return userText({id: userId, ...(email !== undefined && {email})});
}

export function personCell(person: Person | undefined, width: number): readonly [Safe, Tone] {
	if (!person) return [safe`-`, 'dim'];
	const {userId, email} = person;
	return [
		userCell({id: userId, ...(email !== undefined && {email})}, width),
		email === undefined ? 'dim' : 'text',
	];
}
