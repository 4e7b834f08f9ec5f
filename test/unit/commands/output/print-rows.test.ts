import {expect, test} from 'vitest';
import type {CommandContext} from '../../../../src/commands/cli/context.ts';
import {createOutput} from '../../../../src/commands/output/output.ts';
import {fittingLines, type OutputColumn, printList} from '../../../../src/commands/output/print-rows.ts';
import {cleanLine} from '../../../../src/text/cells/clean.ts';

type Row = {readonly id: string; readonly title: string; readonly messages?: number; readonly origin: string};

const columns: readonly OutputColumn<Row>[] = [
	{name: 'id', show: ({id}) => cleanLine(id)},
	{name: 'title', rank: 0, show: ({title}) => cleanLine(title)},
	{name: 'messages', rank: 1, show: ({messages = '-'}) => cleanLine(String(messages))},
	{name: 'origin', rank: 1, show: ({origin}) => cleanLine(origin)},
];
const id = '018f3c2a-7b11-7c3e-9d55-0a1b2c3d4e5f';
const rows: readonly Row[] = [
	{id, title: 'a title of several words, long enough', origin: 'created'},
	{id: 's-2', title: 'short', origin: 'added'},
];

test('leaves columns without values out of a table for a terminal', () => {
	expect(fittingLines(columns, rows, 120)[0]).toMatch(/^ID +TITLE +ORIGIN$/);
	const counted = rows.map(row => ({...row, messages: 3}));
	expect(fittingLines(columns, counted, 120)[0]).toMatch(/^ID +TITLE +MESSAGES +ORIGIN$/);
	expect(fittingLines(columns, counted, 90)[0]).toMatch(/^ID +TITLE +MESSAGES *$/);
	const byRank = columns.map(one => (one.name === 'messages' ? {...one, rank: 2} : one));
	expect(fittingLines(byRank, counted, 90)[0]).toMatch(/^ID +TITLE +ORIGIN *$/);
	expect(fittingLines(columns, [], 120)).toEqual(['ID  TITLE  MESSAGES  ORIGIN']);
});

test('says on stderr that a list is empty', async () => {
	let stderr = '';
	const stream = (write: (text: string) => void) => ({
		write(text: string, onWritten?: () => void) {
			write(text);
			onWritten?.();
		},
	});
	const output = createOutput(false, {
		stdout: stream(() => {}),
		stderr: stream(text => {
			stderr += text;
		}),
	});
	const context = {output, flags: {is: () => false}, signal: new AbortController().signal};
	const format = {columns, objectOf: (row: Row) => row, none: 'nothing'};
	await printList(context as unknown as CommandContext, format, rows);
	expect(stderr).toBe('');
	await printList(context as unknown as CommandContext, format, []);
	expect(stderr).toBe('quarterdeck: nothing\n');
});

test.each([60, 76, 80, 84, 120])('a table fits a terminal of %i columns, and its ids stay whole', width => {
	const lines = fittingLines(columns, rows, width);
	for (const line of lines) expect(line.length).toBeLessThanOrEqual(width);
	expect(lines[1]).toContain(id);
	expect(lines[0]?.includes('ORIGIN')).toBe(width >= 84);
	expect(lines[1]?.includes('long enough')).toBe(width >= 76);
});

test('CSV is whole on a terminal, too', async () => {
	let stdout = '';
	const write = (text: string, onWritten?: () => void) => {
		stdout += text;
		onWritten?.();
	};
	const output = createOutput(false, {stdout: {isTTY: true, columns: 40, write}, stderr: {write: () => {}}});
	const context = {
		output,
		flags: {is: (flag: string) => flag === 'csv'},
		signal: new AbortController().signal,
	};
	const csv = columns.map(({name}) => ({name, value: () => name}));
	await printList(
		context as unknown as CommandContext,
		{columns: csv, objectOf: row => row, fitsTerminal: true},
		[{}],
	);
	expect(stdout).toBe('id,title,messages,origin\nid,title,messages,origin\n');
});
