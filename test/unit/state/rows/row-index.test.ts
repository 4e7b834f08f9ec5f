import fc from 'fast-check';
import {expect, test} from 'vitest';
import {createRowIndex} from '../../../../src/state/rows/row-index.ts';

type Row = {readonly name: string; readonly size: number | undefined};
type Table = {readonly rows: readonly Row[]};

const index = () =>
	createRowIndex<Table, Row>({
		columns: [{name: 'size', value: ({size}) => size}],
		count: ({rows}) => rows.length,
		rowOf: ({rows}, at) => rows[at] as Row,
		textOf: ({name}) => name,
	});

const table: Table = {
	rows: [
		{name: 'Ann Lee', size: 3},
		{name: 'bo', size: undefined},
		{name: 'Cy Lee', size: 1},
	],
};
const all = {order: 'size', isReversed: false, words: ''} as const;

test('sorts rows with unknown values last, and finds those with all words in any case', () => {
	const find = index();
	expect([...find(table, all)]).toEqual([2, 0, 1]);
	expect([...find(table, {...all, isReversed: true})]).toEqual([0, 2, 1]);
	expect([...find(table, {...all, words: 'lee a'})]).toEqual([0]);
	const group = {name: 'later', has: (row: number) => row > 0};
	expect([...find(table, {...all, group})]).toEqual([2, 1]);
	expect([...find(table, {...all, group, words: 'LEE'})]).toEqual([2]);
	expect([...find(table, {...all, words: 'none'})]).toEqual([]);
});

test('gives the same answer as a fresh index, whatever was asked before', () => {
	const query = fc.record({
		order: fc.constantFrom('name' as const, 'size' as const),
		isReversed: fc.boolean(),
		words: fc.constantFrom('', 'a', 'b a'),
		group: fc.constantFrom(
			{name: 'all', has: () => true},
			{name: 'even', has: (row: number) => row % 2 === 0},
		),
	});
	const row = fc.record({
		name: fc.string({unit: fc.constantFrom('a', 'B', ' ')}),
		size: fc.option(fc.integer(), {nil: undefined}),
	});
	fc.assert(
		fc.property(fc.array(row), fc.array(query, {minLength: 1}), (rows, queries) => {
			const find = index();
			const data = {rows};
			for (const one of queries) expect(find(data, one)).toEqual(index()(data, one));
		}),
	);
});
