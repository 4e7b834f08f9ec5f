import {
	createExportTable,
	type ExportColumn,
	type ExportTable,
	type Rows,
} from '../../domain/export-table.ts';
import {type People, personValue} from '../../domain/usage/people.ts';
import {joinedUsers} from '../../state/organization/joined-users.ts';
import type {Organization, PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState} from '../../state/organization/organization-view-state.ts';
import {peopleColumns, peopleRows, userOf} from '../../state/organization/people-columns.ts';
import type {Column} from '../../state/rows/column.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {createHeatMap} from '../../text/charts/heat-map.ts';
import {columnsOnScreen, tableHeading, tableRow, widestTexts} from '../kit/columns.ts';
import {figureHead, groupFigure, listPage, type Page, type PageContext} from './page.ts';
import {strings} from './strings.ts';
import {dayIndex, dayLabel} from './tab-blocks.ts';

/** Minimum widths, in columns, of the daily heat map and of the table beside it. */
const minHeatWidth = 14;
const minTableWidth = 62;

/**
 * The People tab: a sortable table of the people active in a range, or of those who aren't in the user list, with a heat
 * map of their daily credits.
 */
export function peopleTab(
	organization: Organization,
	{people, range}: PeopleData,
	{people: {group, ...order}, daysBack}: OrganizationViewState,
	{width, isAscii, isScreenReader, today, filter = '', hidden}: PageContext,
): Page {
	const unlisted = joinedUsers(organization)?.usage?.membership.unlisted;
	const isUnlisted = group === 'unlisted';
	const indexes = peopleRows(people, {
		...order,
		words: filter,
		group: isUnlisted
			? {name: `unlisted of ${organization.users.readAt}`, has: person => unlisted?.has(person) ?? false}
			: {name: 'active', has: person => (people.people[person]?.activeDays ?? 0) > 0},
	});
	const day = dayIndex(people.dates.length, daysBack);
	const labels = people.dates.map(date => dayLabel(date, today));
	const heat = createHeatMap(labels, {
		width: Math.max(minHeatWidth, width - minTableWidth),
		tops: people.quarters,
		selected: day,
		isAscii,
	});
	const dayColumns = columnsOnScreen([dayColumn(people, day)], new Map(), {width, now: 0});
	const dayWidth = lineWidth(tableHeading(dayColumns));
	const room = isScreenReader ? width : width - heat.width - 2;
	const isKnown = people.knownDays > 0;
	const shown = (isShown: boolean) => (isShown ? indexes.length : undefined);
	const groups = [
		groupFigure(isKnown ? people.activeCount : undefined, safe`active`, shown(!isUnlisted)),
		groupFigure(unlisted?.size, safe`not in the user list`, shown(isUnlisted)),
	];
	const legend = isScreenReader ? [] : [legendLine(labels[day] ?? safe`-`, heat.legend, width)];
	// The selected day's column comes last, so its width shifts nothing.
	const withHeat = (cells: Line, figure: Line): Line => [
		...(isScreenReader ? [] : [span(safe`  `), ...cells]),
		span(safe`  `),
		...figure,
	];
	return listPage({
		title: [],
		head: [...figureHead(groups, width), ...legend],
		columns: peopleColumns,
		context: {width: room - dayWidth - 2, now: 0, order: order.order},
		widest: widestOfPeople(people),
		order: {...order, hidden},
		count: indexes.length,
		rowAt: at => ({people, index: indexes[at] ?? -1}),
		idOf: row => userOf(row).id,
		beside: {
			heading: withHeat(padLine(heat.labels, heat.width), tableHeading(dayColumns)),
			row: ({index}) =>
				withHeat(
					isScreenReader ? [] : heat.row(column => people.credits(index, column)),
					tableRow(dayColumns, index),
				),
		},
		data: () => ({
			name: isUnlisted ? 'usage-people-unlisted' : 'usage-people',
			range,
			selection: {view: 'usage', tab: 'people', group, ...order, filter},
			tables: [
				createExportTable(
					'people',
					peopleColumns,
					Array.from(indexes, index => ({people, index})),
				),
				creditsByDayTable(people, indexes),
			],
		}),
		empty: filter
			? strings.noMatches
			: !isKnown
				? strings.usage.noData
				: !isUnlisted
					? safe`Nobody was active on these days`
					: unlisted
						? safe`All active people are in the user list`
						: safe`The user list has not been read yet`,
	});
}

/** The selected day and what the cells mean, shortened if it doesn't fit `width`. */
function legendLine(day: Safe, legend: Line, width: number): Line {
	const line: Line = [
		span(safe`Credits of `, 'dim'),
		span(day, 'strong'),
		span(safe`, the selected day; cells  `, 'dim'),
		...legend,
	];
	return lineWidth(line) <= width ? line : [span(day, 'strong'), span(safe` selected  `, 'dim'), ...legend];
}

/** Measured once: all are drawn again on every sort key. */
const widestOfPeople = rememberEach((people: People) =>
	widestTexts(
		peopleColumns,
		people.people.map((_, index) => ({people, index})),
	),
);

/** Each person's credits on the selected day. */
function dayColumn(people: People, day: number): Column<number> {
	return {
		name: 'credits',
		title: safe`ON ${cleanLine(people.dates[day]?.slice(5) ?? '-')}`,
		isNumber: true,
		value: person => people.credits(person, day),
		size: {width: 10, rank: 0},
	};
}

/** The daily credits of people, given by index in order. */
function creditsByDayTable(people: People, rows: Rows<number>): ExportTable {
	const {dates} = people;
	return createExportTable(
		'credits by day',
		[
			...(['user_id', 'user_email'] as const).map(
				(name): ExportColumn<number> => ({name, value: index => personValue(people, index, name)}),
			),
			...dates.map(
				(date, day): ExportColumn<number> => ({name: date, value: index => people.credits(index, day)}),
			),
		],
		rows,
	);
}
