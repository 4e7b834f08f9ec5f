import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {type Line, lineText, type Span} from '../../../../src/text/cells/line.ts';
import {safe} from '../../../../src/text/cells/safe.ts';
import {messageLinks} from '../../../../src/text/messages/message-links.ts';
import {headRow, messageRows, type RowOptions} from '../../../../src/text/messages/message-rows.ts';
import {messageBlocks, wholeMessage} from '../../../../src/text/messages/part-markdown.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const at = new Date(2026, 10, 21, 14, 2).getTime();
const entry = (message: Partial<Message>, role?: 'user' | 'assistant' | 'tool') => ({
	kind: 'message' as const,
	id: 'm1',
	message: {id: 'm1', createdAt: at, ...message},
	...(role && {role}),
});
/** A row's text without the padding that brings what the user says from edge to edge. */
const shownText = (row: Line) =>
	lineText(row.filter(part => !(part.tint === 'userText' && part.isDecoration)));
const show = (
	message: Partial<Message>,
	options: Partial<RowOptions> = {},
	role?: 'user' | 'assistant' | 'tool',
) => messageRows(entry(message, role), {width: 49, isExpanded: false, ...options}).map(shownText);
const text = (value: string) => ({content: [{id: 'c', text: value}]});

test('shows role, time and wrapped text', () => {
	const words = text('bump the schema to version seven and tell me what else broke');
	expect(show(words, {}, 'user')).toEqual([
		'  bump the schema to version seven and tell me',
		'  what else broke',
	]);
	const head = (role?: 'user' | 'assistant' | 'tool', width = 49, note?: Span) =>
		shownText(headRow(entry(words, role), width, note));
	expect([head('user'), head('assistant'), head()]).toEqual(['you 14:02', 'agent 14:02', '\u00b7 14:02']);
	expect(head('user', 30, {text: safe`accepted`})).toBe(`${'you 14:02'.padEnd(22)}accepted`);
	expect(head('user', 12, {text: safe`accepted`})).toBe('you 14:02');
});

test('a narrow pane has no gutter', () => {
	expect(show(text('hello there'), {width: 19}, 'tool')).toEqual(['hello there']);
});

test('renders Markdown', () => {
	const source = [
		'# Plan',
		'- one item that is long enough to need a second row here',
		'10. ten',
		'> quoted words',
		'```ts',
		'const x = "a line of code that is too long for the pane it is in";',
		'```',
		'use `npm ci` and **never** touch src/**/*.ts or test/**/*.ts',
		'***',
	].join('\n');
	expect(show(text(source), {width: 42}, 'assistant').map(row => row.slice(2))).toEqual([
		'Plan',
		'\u2022 one item that is long enough to need a',
		'  second row here',
		'10. ten',
		'\u2502 quoted words',
		'\u258f ts'.padEnd(40),
		'\u258f const x = "a line of code that is too ',
		'\u258f\u21b3long for the pane it is in";'.padEnd(40),
		'use npm ci and never touch src/**/*.ts',
		'or test/**/*.ts',
		'\u2500'.repeat(40),
	]);
});

test.each([
	['that differ', '-old\r\n+new\n same\r', ['-old␍', '+new', ' same']],
	['that are all alike', '-old\r\n+new\r\n same\r', ['-old', '+new', ' same']],
])('a fenced diff shows ends of lines %s', (_, diff, lines) => {
	const rows = show(text(`So:\r\n\n\`\`\`diff\r\n${diff}\n\`\`\`\n\nMore.\r\n`), {}, 'assistant');
	expect(rows.map(row => row.replace('▏', '').trimEnd()).filter(row => /old|new|same/.test(row))).toEqual(
		lines.map(line => expect.stringContaining(line)),
	);
	expect(rows.join('\n').includes('␍')).toBe(lines[0] === '-old␍');
});

test("shows a program's output as it is, with its colors", () => {
	const lines = [
		'# tests 1',
		'* main',
		'  master',
		'    return __init__(a)',
		'---',
		'&amp; \\*',
		'\u001b[31mred\u001b[0m',
	];
	const output = {...text(lines.join('\n')), isOutput: true};
	expect(show(output, {}, 'assistant').map(row => row.slice(2))).toEqual([...lines.slice(0, -1), 'red']);
	const red = messageRows(entry(output, 'assistant'), {width: 49, isExpanded: false}).at(-1);
	expect(red?.find(part => part.text === 'red')).toMatchObject({tone: 'bad'});
	expect(messageBlocks({id: 'm1', ...output})).toEqual([{label: 'output', text: lines.join('\n')}]);
	expect(wholeMessage({id: 'm1', ...text('a ``` b'), isOutput: true})).toBe('a ``` b\n\n');
});

test('shows what a user typed as typed', () => {
	const rows = messageRows(entry(text('# a `b` **c**'), 'user'), {width: 48, isExpanded: false}) as Line[];
	expect(lineText(rows[0] ?? [])).toContain('# a `b` **c**');
});

test('collapses tools and reasoning to a line with a count of what is hidden', () => {
	const content = [
		{type: 'thinking', thinking: 'first thought\nsecond\nthird'},
		{type: 'tool_use', name: 'Execute', input: {command: 'pnpm test', timeout: 5}},
		{type: 'tool_result', content: [{type: 'text', text: 'ok 1\nok 2\nok 3\n'}]},
		{type: 'tool_result', content: 'boom', is_error: true},
	];
	expect(show({content}, {}, 'assistant')).toEqual([
		'  thinking first thought  + 2 lines',
		'  ✓ Execute pnpm test',
		...['    ok 1', '    ok 2', '    ok 3'],
		'  error boom',
	]);
	expect(show({content}, {isExpanded: true}, 'assistant')).toEqual([
		'  thinking',
		'    first thought',
		'    second',
		'    third',
		'  ✓ Execute pnpm test  3 lines',
		'    timeout: 5',
		'    ok 1',
		'    ok 2',
		'    ok 3',
		'  error',
		'    boom',
	]);
});

test("shows a tool's output in its own colors, and obeys no other sequence", () => {
	const output =
		'\x1b[1m\x1b[31mFAIL\x1b[0m a.test.ts \x1b[K\n\x1b[38;5;208mone\x1b[32mtwo\x1b[7m!\x1b[m\x1b[2J\x1b]0;t\x07';
	const content = [{type: 'tool_result', content: output}];
	const looks = (isExpanded: boolean) =>
		(messageRows(entry({content}, 'tool'), {width: 90, isExpanded}) as Line[]).map(row =>
			row
				.slice(isExpanded ? 1 : 2)
				.filter(({text}) => text.trim() !== '')
				.map(({text, tone, bold, inverse}) => [text, tone, bold, inverse]),
		);
	expect(looks(false)).toEqual([
		[
			[' FAIL a.test.ts ', 'dim', undefined, undefined],
			['  + 1 line', 'dim', undefined, undefined],
		],
	]);
	expect(looks(true)).toEqual([
		[['result', 'tool', undefined, undefined]],
		[
			['FAIL', 'bad', true, undefined],
			[' a.test.ts ', 'code', undefined, undefined],
		],
		[
			['one', 'code', undefined, undefined],
			['two', 'good', undefined, undefined],
			['!', 'good', undefined, true],
			['\u241b[2J\u241b]0;t\u2407', 'code', undefined, undefined],
		],
	]);
});

test('puts the reasoning field of a message first', () => {
	expect(show({...text('answer'), chatCompletionReasoningContent: 'hm'}, {}, 'assistant')).toEqual([
		'  thinking hm',
		'  answer',
	]);
});

test('collapses a reasoning summary like reasoning, and shows the same words only once', () => {
	const summary = {...text('answer'), provider1ReasoningSummary: 'looked at a\nthen at b'};
	expect(show(summary, {}, 'assistant')).toEqual(['  thinking looked at a  + 1 line', '  answer']);
	expect(show({...summary, chatCompletionReasoningContent: 'hm'}, {}, 'assistant')).toEqual([
		'  thinking looked at a  + 1 line',
		'  thinking hm',
		'  answer',
	]);
	const twice = {...text('answer'), provider1ReasoningSummary: 'hm', chatCompletionReasoningContent: 'hm'};
	expect(show(twice, {}, 'assistant')).toEqual(['  thinking hm', '  answer']);
});

test.each([
	['user', 40],
	['assistant', 400],
] as const)('collapses a long text from the %s after %i rows', (role, collapsed) => {
	const long = text(Array.from({length: 1000}, (_, i) => `line ${i}`).join('\n'));
	const rows = show(long, {}, role);
	expect(rows).toHaveLength(collapsed + 1);
	expect(rows.filter(row => row.trim() === `+ ${1000 - collapsed} lines`)).toHaveLength(1);
	expect(show(long, {isExpanded: true}, role)).toHaveLength(1000);
});

test("shows what follows a user's long paste", () => {
	const pasted = Array.from({length: 70}, (_, index) => `line ${index}`).join('\n');
	const rows = show(text(`${pasted}\n\nwhat is it?`), {}, 'user').map(row => row.trim());
	expect(rows.slice(33)).toEqual([
		'line 33',
		'+ 32 lines',
		'line 66',
		'line 67',
		'line 68',
		'line 69',
		'',
		'what is it?',
	]);
	expect(rows).toHaveLength(41);
	expect(
		show(text(`${pasted}\n${'a long question '.repeat(40)}`), {}, 'user')
			.at(-1)
			?.trim(),
	).toBe('+ 31 lines');
});

test('shows the end of an expanded text that is cut, too, and no line twice', () => {
	const linesOf = (count: number, words = '') =>
		Array.from({length: count}, (_, index) => `line ${index + 1}${words}`);
	for (const role of ['user', 'assistant'] as const) {
		const rows = show(text(linesOf(5001).join('\n')), {isExpanded: true}, role).map(row => row.trim());
		expect(rows.slice(1993)).toEqual(['line 1994', '+ 3001 lines', ...linesOf(5001).slice(-6)]);
	}
	// Cut for its length, within the last lines.
	const long = linesOf(1500, ` ${'x'.repeat(34)}`);
	const left = long.findIndex((_, index) => long.slice(0, index + 1).join('\n').length > 64 * 1024);
	const cut = long.slice(0, left + 4);
	const rows = show(text(cut.join('\n')), {isExpanded: true}, 'assistant').map(row => row.trim());
	expect(rows.slice(left + 1)).toEqual(['+ 1 line', ...cut.slice(left + 1)]);
});

test.each(['[interrupted: the service was stopped]', '[exit 1]', '[ended: over 256 MiB of output]'])(
	'shows why a long output ended, below the hidden lines: %s',
	note => {
		const output = Array.from({length: 113}, (_, index) => `tick ${index + 1}`).join('\n');
		const failed = {...text(`${output}\n${note}`), isError: true, isOutput: true};
		for (const isExpanded of [false, true]) {
			const rows = show(failed, {isExpanded}, 'assistant').map(row => row.trim());
			expect([rows[0], ...rows.slice(-2)]).toEqual(['! error', 'tick 113', note]);
		}
		const rows = show(failed, {}, 'assistant').map(row => row.trim());
		expect(rows).toContain('+ 74 lines');
	},
);

test('says how much of an endless line is hidden', () => {
	expect(
		show(text('x'.repeat(1 << 20)))
			.at(-1)
			?.trim(),
	).toBe('+ the rest of 1.0 MB');
	expect(
		show(text('x'.repeat(1 << 20)), {isExpanded: true})
			.at(-1)
			?.trim(),
	).toBe('+ the rest of 1.0 MB');
});

test('names attachments with their size, and never shows their data', () => {
	const data = Buffer.alloc(214_000).toString('base64');
	const content = [
		{type: 'image', source: {type: 'base64', media_type: 'image/png', data}},
		{type: 'document', title: 'plan.pdf', source: {data}},
		{image_url: {url: `data:image/jpeg;base64,${data}`}},
		{data, name: 'x.bin'},
	];
	expect(show({content}, {}, 'user')).toEqual([
		'  [image png 214 kB]',
		'  [file plan.pdf 214 kB]',
		'  [image jpeg 214 kB]',
		'  [file x.bin 214 kB]',
	]);
});

test('shows an unknown kind in one line, without its values', () => {
	const content = [
		{type: 'redacted_thinking', data: 'c2VjcmV0'},
		{foo: 'c2VjcmV0', bar: 1},
	];
	expect(show({content, provider1EncryptedContent: 'c2VjcmV0'})).toEqual([
		'  (unknown part: redacted_thinking)',
		'  (unknown part: foo, bar)',
	]);
});

test('marks errors with a word', () => {
	expect(show({...text('it broke'), isError: true}, {}, 'assistant')).toEqual(['  ! error', '  it broke']);
});

test('shows a message without content or time, and a gap', () => {
	expect(show({createdAt: undefined}, {}, 'user')).toEqual(['  (no content)']);
	expect(shownText(headRow(entry({createdAt: undefined}, 'user'), 40))).toBe('you -');
	const by = (author: string) => shownText(headRow(entry({createdAt: undefined, author}, 'user'), 40));
	expect(by('agent')).toBe('sent by an agent -');
	expect(by('agent fix-login')).toBe('sent by the agent of fix-login -');
	expect(messageRows({kind: 'gap', id: 'g'}, {width: 40, isExpanded: false}).map(lineText)[0]).toContain(
		'messages not loaded yet',
	);
});

test('makes no row wider than the pane, whatever the message contains', () => {
	fc.assert(
		fc.property(
			fc.array(
				fc.oneof(
					hostileText.map(value => ({text: value})),
					hostileText.map(value => ({type: 'thinking', thinking: value})),
					hostileText.map(value => ({
						type: 'tool_use',
						name: value,
						input: {command: value, [value]: value},
					})),
					hostileText.map(value => ({type: 'tool_result', content: [value, {type: value}, 3, null]})),
					hostileText.map(value => ({type: value, data: value})),
					hostileText.map(value => ({type: 'document', name: value, mimeType: value})),
					fc.dictionary(hostileText, fc.jsonValue()),
				),
				{maxLength: 5},
			),
			fc.integer({min: 2, max: 90}),
			fc.boolean(),
			fc.boolean(),
			(content, width, isExpanded, isError) => {
				for (const row of messageRows(entry({content: content as Message['content'], isError}, 'tool'), {
					width,
					isExpanded,
				}))
					expect(stringWidth(lineText(row))).toBeLessThanOrEqual(width);
			},
		),
		{numRuns: 100},
	);
});

/** Names that a careless reader takes for an object's own methods, or for what a part should have. */
const fieldNames = fc.constantFrom(
	...[
		'toString',
		'valueOf',
		'constructor',
		'__proto__',
		'toJSON',
		'length',
		'type',
		'text',
		'name',
		'content',
	],
	...['input', 'command', 'file_path', 'todos', 'status', 'questions', 'question', 'options', 'edits'],
);
const types = fc.constantFrom('text', 'thinking', 'tool_use', 'tool_result', 'image', 'document', 'other');
const names = fc.constantFrom('Read', 'Edit', 'Bash', 'TodoWrite', 'Task', 'update_plan');
const {value: anyJson} = fc.letrec<{value: unknown; list: unknown; fields: unknown}>(tie => ({
	value: fc.oneof(
		{maxDepth: 4},
		fc.constantFrom(null, true, 0, -1, '', 'a', '1. [x] a'),
		names,
		tie('list'),
		tie('fields'),
	),
	list: fc.array(tie('value'), {maxLength: 3}),
	fields: fc.dictionary(fieldNames, tie('value'), {maxKeys: 5}),
}));

test('draws, copies and searches a message whatever its fields contain', () => {
	const fields = {
		input: anyJson,
		arguments: anyJson,
		content: anyJson,
		output: anyJson,
		thinking: anyJson,
		is_error: anyJson,
		source: anyJson,
		image_url: anyJson,
		path: anyJson,
		title: anyJson,
		media_type: anyJson,
		data: anyJson,
		name: fc.oneof(names, anyJson),
		call_id: fc.constantFrom('c', null),
		tool_use_id: fc.constant('c'),
	};
	const item = fc.record({type: types, text: fc.string(), ...fields}, {requiredKeys: []});
	fc.assert(
		fc.property(fc.array(item, {maxLength: 4}), content => {
			const message: Message = JSON.parse(JSON.stringify({id: 'm1', content}));
			for (const isExpanded of [false, true]) expect(show(message, {isExpanded}).length).toBeGreaterThan(0);
			wholeMessage(message);
			messageBlocks(message);
			messageLinks([message]);
		}),
		{
			numRuns: 100,
			examples: [[[{type: 'tool_use', name: {toString: 1, valueOf: 1}, input: {}}]]],
		},
	);
});

test.each(['user', 'assistant', 'tool'] as const)('a role %s that arrives late moves nothing', role => {
	fc.assert(
		fc.property(hostileText, fc.integer({min: 1, max: 120}), (words, width) => {
			const before = entry(text(`# ${words}\n${'line\n'.repeat(60)}`));
			const after = {...before, role, isRoleLate: true as const};
			const rows = (one: typeof before) => messageRows(one, {width, isExpanded: false}).map(lineText);
			expect(rows(after)).toEqual(rows(before));
		}),
		{numRuns: 50},
	);
});
