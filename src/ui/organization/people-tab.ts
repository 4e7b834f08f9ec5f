import {
	createExportTable,
	type ExportColumn,
	type ExportTable,
	type Rows,
} from '../../domain/export-table.ts';
import type {ListedUser} from '../../domain/organization/user.ts';
import {type People, personValue} from '../../domain/usage/people.ts';
import {joinedUsers} from '../../state/organization/joined-users.ts';
import type {Organization, PeopleData} from '../../state/organization/organization.ts';
import type {OrganizationViewState, PeopleGroup} from '../../state/organization/organization-view-state.ts';
import {peopleColumns, peopleRows, userOf} from '../../state/organization/people-columns.ts';
import {dayText, listedUserColumns, type UserRow, usersTable} from '../../state/organization/user-columns.ts';
import type {Column} from '../../state/rows/column.ts';
import {rememberEach} from '../../state/rows/remember.ts';
import {wordMatcher} from '../../state/rows/table-rows.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {describeHeatMap} from '../../text/charts/describe.ts';
import {createHeatMap} from '../../text/charts/heat-map.ts';
import {columnsOnScreen, tableHeading, tableRow, widestTexts} from '../kit/columns.ts';
import {figures, groupFigure, listed, listPage, type Page, type PageContext} from './page.ts';
import {strings} from './strings.ts';
import {dayIndex, dayLabel} from './tab-blocks.ts';
import {widestOfUsers} from './users-page.ts';

const text = strings.people;

/**
 * The People tab: a sortable table of active people with a daily heat map, or a list of the inactive, new or
 * unlisted.
 */
export function peopleTab(
	organization: Organization,
	data: PeopleData,
	viewState: OrganizationViewState,
	size: PageContext,
): Page {
	const {people, range} = data;
	const {group} = viewState.people;
	const membership = joinedUsers(organization)?.usage?.membership;
	const groups: readonly (readonly [PeopleGroup, number | undefined, Safe])[] = [
		['active', people.knownDays > 0 ? people.activeCount : undefined, safe`active`],
		['inactive', membership?.inactive?.length, text.inactive],
		['new', membership?.joined.length, text.new],
		['unlisted', membership?.unlisted?.length, text.unlisted],
	];
	const head = (shown: number): Line[] => [
		figures(
			groups.map(([name, count, label]) => groupFigure(count, label, name === group ? shown : undefined)),
		),
		[],
	];
	if (group === 'active') return activePeople(data, viewState, size, head);
	const {filter = ''} = size;
	const isMatch = wordMatcher(filter);
	const isShown = ({id, email = ''}: ListedUser) => isMatch(`${email} ${id}`);
	const unread = membership ? strings.usage.noData : safe`The user list has not been read yet`;
	const context = {width: size.width, now: 0, order: ''};
	const list = (all: readonly number[] | undefined, empty: Safe, table: ExportTable) => ({
		title: [],
		data: () => ({
			name: `usage-people-${group}`,
			range,
			selection: {view: 'usage', tab: 'people', group, filter},
			tables: all ? [table] : [],
		}),
		empty: all === undefined ? unread : filter.trim() ? strings.noMatches : empty,
	});
	if (group === 'unlisted') {
		const all = membership?.unlisted;
		const rows = (all ?? []).map(index => ({people, index})).filter(row => isShown(userOf(row)));
		return listPage({
			...list(
				all,
				safe`All active people are in the user list`,
				createExportTable('not among the users', unlistedColumns, rows),
			),
			head: [
				...head(rows.length),
				[span(safe`Active but not in the user list: former users and programs`, 'dim')],
			],
			columns: unlistedColumns,
			context,
			widest: widestOfPeople(people),
			...listed(rows),
			idOf: row => userOf(row).id,
		});
	}
	const users = organization.users.data ?? [];
	const all = membership?.[group === 'new' ? 'joined' : 'inactive'];
	const rows = (all ?? [])
		.map((index): UserRow => ({user: users[index] as ListedUser}))
		.filter(({user}) => isShown(user));
	return listPage({
		...list(
			all,
			group === 'new' ? safe`Nobody joined on these days` : safe`Everyone was active`,
			usersTable(group, rows),
		),
		head: head(rows.length),
		columns: memberColumns,
		context,
		widest: widestOfUsers(users),
		...listed(rows),
		idOf: ({user}) => user.id,
	});
}

const unlistedFields = ['user_id', 'user_email', 'last_day', 'billable_tokens'];
const unlistedColumns = peopleColumns.filter(({name}) => unlistedFields.includes(name));

/** Usage has no time for ages: a day says when somebody signed in. */
const memberColumns = listedUserColumns.map(column =>
	column.name === 'last_sign_in_at'
		? {...column, cell: ({user}: UserRow) => [span(dayText(user.lastSignInAt), 'strong')]}
		: column,
);

/** Minimum widths, in columns, of the daily heat map and of the table beside it. */
const minHeatWidth = 14;
const minTableWidth = 62;

/** The people active in a range: a sortable table, and a heat map of their daily credits. */
function activePeople(
	{people, range}: PeopleData,
	{people: {group: _, ...order}, daysBack}: OrganizationViewState,
	{width, isAscii, isScreenReader, today, filter = '', hidden}: PageContext,
	head: (shown: number) => readonly Line[],
): Page {
	const indexes = peopleRows(people, {
		...order,
		words: filter,
		group: {name: 'active', has: person => (people.people[person]?.activeDays ?? 0) > 0},
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
	const explanation: Line[] = isScreenReader
		? wrapText(spokenHeat(people), width).map(row => [span(row)])
		: [legendLine(labels[day] ?? safe`-`, heat.legend, width)];
	// The selected day's column comes last, so its width shifts nothing.
	const withHeat = (cells: Line, figure: Line): Line => [
		...(isScreenReader ? [] : [span(safe`  `), ...cells]),
		span(safe`  `),
		...figure,
	];
	return listPage({
		title: [],
		head: [...head(indexes.length), ...explanation],
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
			name: 'usage-people',
			range,
			selection: {view: 'usage', tab: 'people', ...order, filter},
			tables: [
				createExportTable(
					'people',
					peopleColumns,
					Array.from(indexes, index => ({people, index})),
				),
				creditsByDayTable(people, indexes),
			],
		}),
		empty: emptyText(people, filter),
	});
}

function emptyText({knownDays}: People, filter: string): Safe {
	if (filter) return strings.noMatches;
	return knownDays > 0 ? safe`Nobody was active on these days` : strings.usage.noData;
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

function spokenHeat({people, dates, largest, knownDays}: People): Safe {
	const person = people[largest?.person ?? -1];
	return describeHeatMap(safe`Credits per person by day`, {
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
export function creditsByDayTable(people: People, rows: Rows<number>): ExportTable {
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
		index => ({
			user_id: people.people[index]?.userId,
			user_email: people.people[index]?.email ?? null,
			by_date: Object.fromEntries(dates.map((date, day) => [date, people.credits(index, day) ?? null])),
		}),
	);
}
