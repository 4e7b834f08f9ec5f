import {type People, type PersonField, personFigures, personValue} from '../../domain/usage/people.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {type Column, type ColumnSize, numberIn, type TableContext} from '../rows/column.ts';
import {createRowIndex} from '../rows/row-index.ts';
import {userCell, userText} from './user-columns.ts';

/** A person of a range, by index. */
export type PersonRow = {readonly people: People; readonly index: number};

/** `order`: the column that the table is sorted by. */
type PersonContext = TableContext & {readonly order: string};

export type PersonColumn = Column<PersonRow, PersonContext>;

const onScreen = [
	figure('billable_tokens', safe`CREDITS`, {width: 12, rank: 1}),
	figure('sessions', safe`SESSIONS`, {width: 8, rank: 3}),
	figure('user_messages', safe`TURNS`, {width: 7, rank: 4}),
	figure('tool_calls', safe`CALLS`, {width: 8, rank: 5}),
	figure('autonomy_ratio', safe`CALLS/TURN`, {width: 10, rank: 6}),
	figure('active_days', safe`DAYS`, {width: 5, rank: 2}),
	figure('last_day', safe`LAST DAY`, {width: 10, rank: 7}),
];

const onlyExported: readonly PersonField[] = [
	...personFigures.filter(field => onScreen.every(({name}) => name !== field)),
	'primary_model',
	'primary_model_tier',
	'delegation_level',
	'languages',
];

/** Every column of a person: on the screen those with a size, in exports all. */
export const peopleColumns: readonly PersonColumn[] = [
	{
		name: 'user_email',
		title: safe`USER`,
		value: ({people, index}) => people.people[index]?.email,
		sortKey: row => userOf(row).email ?? userOf(row).id,
		size: (_, widest) => ({width: 22, max: widest, rank: 0, growAfter: 10}),
		text: row => userText(userOf(row)),
		cell: (row, _, width) => [
			span(userCell(userOf(row), width), userOf(row).email === undefined ? 'dim' : 'text'),
		],
	},
	...onScreen,
	{name: 'user_id', value: ({people, index}) => people.people[index]?.userId},
	...onlyExported.map(
		(name): PersonColumn => ({name, value: ({people, index}) => personValue(people, index, name)}),
	),
];

export function userOf({people, index}: PersonRow): {readonly id: string; readonly email?: string} {
	const {userId = '', email} = people.people[index] ?? {};
	return {id: userId, email};
}

function figure(name: PersonField, title: Safe, size: ColumnSize): PersonColumn {
	return {
		name,
		title,
		isNumber: true,
		value: ({people, index}) => personValue(people, index, name),
		size,
		cell({people, index}, {order}, width) {
			const value = personValue(people, index, name);
			const places = name === 'billable_tokens' ? people.creditPlaces : 0;
			const text = typeof value === 'string' ? cleanLine(value) : numberIn(value, width, places);
			return [span(text, name === order ? 'strong' : 'text')];
		},
	};
}

/** Sorted people of a range, by index. */
export const peopleRows = createRowIndex<People, PersonRow>({
	columns: peopleColumns,
	count: ({people}) => people.length,
	rowOf: (people, index) => ({people, index}),
	textOf(row) {
		const {email = '', id} = userOf(row);
		return `${email} ${id}`;
	},
});
