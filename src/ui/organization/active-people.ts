import {createExportTable} from '../../domain/export-tables/export-table.ts';
import {creditsByDayTable} from '../../domain/export-tables/people-tables.ts';
import type {People} from '../../domain/usage/people.ts';
import type {PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {peopleColumns, peopleRows} from '../../state/organization/people-columns.ts';
import type {Column} from '../../state/rows/column.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {describeHeatMap} from '../../text/charts/describe.ts';
import {createHeatMap} from '../../text/charts/heat-map.ts';
import {columnsOnScreen, fitTable, tableHeading, tableRow, widestTexts} from '../kit/columns.ts';
import type {Page, PageSize} from './page.ts';
import {strings} from './strings.ts';
import {dayIndex, dayLabel} from './tab-blocks.ts';

const text = strings.people;

/** Minimum widths, in columns, of the daily heat map and of the table beside it. */
const minHeatWidth = 14;
const minTableWidth = 62;

/** The people active in a range: a sortable table, and a heat map of their daily credits. */
export function activePeople(
	{people}: PeopleData,
	{people: {order, direction}, daysBack}: OrganizationViewState,
	{width, isAscii, isScreenReader, today, filter = '', hidden}: PageSize,
	head: readonly Line[],
): Page {
	const rows = peopleRows(people, {
		order,
		direction,
		words: filter,
		group: {name: 'active', has: person => (people.people[person]?.activeDays ?? 0) > 0},
	});
	const day = dayIndex(people.dates.length, daysBack);
	const labels = people.dates.map(date => dayLabel(date, today));
	const heat = createHeatMap(labels, {
		width: Math.max(minHeatWidth, width - minTableWidth),
		tops: people.quarters,
		selected: day,
		...(isAscii && {isAscii}),
	});
	const dayColumns = columnsOnScreen([dayColumn(people, day)], new Map(), {width, now: 0});
	const dayWidth = lineWidth(tableHeading(dayColumns));
	const room = isScreenReader ? width : width - heat.width - 2;
	const tableWidth = room - dayWidth - 2;
	const context = {width: tableWidth, now: 0, order};
	const all = columnsOnScreen(peopleColumns, widestOfPeople(people), context, {
		order,
		isReversed: direction === 'descending',
		hidden,
	});
	const columns = fitTable(all, tableWidth);
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
				...tableRow(columns, {people, index: person}),
				...withHeat(
					isScreenReader ? [] : heat.row(column => people.credits(person, column)),
					tableRow(dayColumns, person),
				),
			];
		},
		data: () => ({
			name: 'usage-people',
			selection: {order, direction, filter},
			tables: [
				createExportTable(
					'people',
					peopleColumns,
					Array.from(rows, index => ({people, index})),
				),
				creditsByDayTable(people, rows),
			],
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

/** Measured once: all are drawn again on every sort key. */
export const widestOfPeople = rememberEach((people: People) =>
	widestTexts(
		peopleColumns,
		people.people.map((_, index) => ({people, index})),
	),
);

/** Each person's credits on the selected day. */
function dayColumn(people: People, day: number): Column<number> {
	return {
		name: 'credits',
		title: text.onDay(cleanLine(people.dates[day]?.slice(5) ?? '-')),
		isNumber: true,
		value: person => people.credits(person, day),
		size: {width: 10, rank: 0},
	};
}
