import fc from 'fast-check';
import stringWidth from 'string-width';
import {expect, test} from 'vitest';
import {graphemes} from '../../../../src/text/cells/graphemes.ts';
import {lineText} from '../../../../src/text/cells/line.ts';
import {editorFolds, editorReduce, editorText} from '../../../../src/text/editor/editor.ts';
import {cursorEdge, editorView, fieldView} from '../../../../src/text/editor/editor-layout.ts';
import {createEditor, type EditorAction, type EditorState} from '../../../../src/text/editor/editor-state.ts';
import {hostileText} from '../../../support/hostile-text.ts';

const width = 21;
const keys: Record<string, EditorAction> = {
	left: {type: 'left'},
	right: {type: 'right'},
	up: {type: 'up', width},
	down: {type: 'down', width},
	'ctrl+left': {type: 'word-left'},
	'ctrl+right': {type: 'word-right'},
	home: {type: 'line-start'},
	end: {type: 'line-end'},
	start: {type: 'text-start'},
	finish: {type: 'text-end'},
	backspace: {type: 'delete-back'},
	delete: {type: 'delete-forward'},
	'ctrl+w': {type: 'delete-blank-back'},
	'alt+d': {type: 'delete-word-forward'},
	'ctrl+u': {type: 'delete-to-line-start'},
	'ctrl+k': {type: 'delete-to-line-end'},
	clear: {type: 'clear'},
	'ctrl+y': {type: 'yank'},
	'alt+y': {type: 'yank-pop'},
	undo: {type: 'undo'},
	redo: {type: 'redo'},
	'alt+backspace': {type: 'delete-word-back'},
	'ctrl+t': {type: 'transpose'},
	unfold: {type: 'unfold'},
	prev: {type: 'history-previous'},
	next: {type: 'history-next'},
};

/** `before` and `after` show the cursor as `|`. Words that are no key are typed. */
function press(state: EditorState, line: string): EditorState {
	return line
		.split(' ')
		.filter(key => key !== '')
		.reduce(
			(now, key) => editorReduce(now, keys[key] ?? {type: 'insert', text: key === 'space' ? ' ' : key}),
			state,
		);
}

function at(marked: string, history: string[] = []): EditorState {
	const cursor = marked.indexOf('|');
	return {...createEditor(marked.replace('|', ''), history), cursor};
}

const shown = ({text, cursor}: EditorState) => `${text.slice(0, cursor)}|${text.slice(cursor)}`;

test.each([
	['one two|', 'ctrl+left', 'one |two'],
	['one  two|', 'ctrl+left ctrl+left', '|one  two'],
	['|one, two', 'ctrl+right', 'one|, two'],
	['|one, two', 'ctrl+right ctrl+right', 'one, two|'],
	['one\ntwo|', 'home', 'one\n|two'],
	['|one\ntwo', 'end', 'one|\ntwo'],
	['one two|', 'ctrl+w', 'one |'],
	['see src/a.ts|', 'ctrl+w', 'see |'],
	['see src/a.ts|', 'alt+backspace', 'see src/a.|'],
	['one  |', 'ctrl+w', '|'],
	['|one two', 'alt+d', '| two'],
	['a|bc', 'ctrl+t', 'ba|c'],
	['abc|', 'ctrl+t', 'acb|'],
	['|abc', 'ctrl+t', '|abc'],
	['a\n|b', 'ctrl+t', 'a\n|b'],
	['\u6f22|\u{1f469}\u200d\u{1f680}', 'ctrl+t undo', '\u6f22|\u{1f469}\u200d\u{1f680}'],
	['one\ntwo th|ree', 'ctrl+u', 'one\n|ree'],
	['on|e\ntwo', 'ctrl+k', 'on|\ntwo'],
	['one|\ntwo', 'ctrl+k', 'one|two'],
	['one two three|', 'ctrl+w ctrl+w ctrl+y', 'one two three|'],
	['a b|', 'ctrl+w left ctrl+k ctrl+y', 'a |'],
	['one two|', 'ctrl+w left ctrl+w ctrl+y', 'one| '],
	['one two|', 'ctrl+w left ctrl+w ctrl+y alt+y', 'two| '],
	['|', 'one undo', '|'],
	['|', 'one space two undo', 'one|'],
	['|', 'one space two undo undo redo redo', 'one two|'],
	['|', 'one undo two redo', 'two|'],
	['a|b', 'clear undo', 'a|b'],
	['long line of\nx\nlong again|', 'up up', 'long line |of\nx\nlong again'],
	['ab|c\nxyz', 'down', 'abc\nxy|z'],
	['abc|\nx', 'down down', 'abc\nx|'],
	['a|bc', 'up', '|abc'],
	['\u6f22\u5b57|\nabcd', 'down', '\u6f22\u5b57\nabcd|'],
])('%j, keys %s', (start, line, end) => {
	expect(shown(press(at(start), line))).toBe(end);
});

test('up and down move by the rows on the screen', () => {
	const state = at('aaaa bbbb cccc dddd eeee|');
	expect(shown(press(state, 'up'))).toBe('aaaa| bbbb cccc dddd eeee');
	expect(editorView(state, width, 5).lines.map(lineText)).toEqual(['aaaa bbbb cccc dddd ', 'eeee']);
});

test('history goes back and forward, and keeps the draft', () => {
	const state = at('dra|ft', ['first', 'second']);
	expect(shown(press(state, 'prev'))).toBe('second|');
	expect(shown(press(state, 'prev prev prev'))).toBe('first|');
	expect(shown(press(state, 'prev prev next'))).toBe('second|');
	expect(shown(press(state, 'prev next'))).toBe('dra|ft');
	expect(shown(press(state, 'next'))).toBe('dra|ft');
});

test('a big paste becomes one chip, and is whole when sent', () => {
	const long = Array.from({length: 214}, (_, i) => `line ${i}`).join('\r\n');
	const state = editorReduce(at('see |!'), {type: 'paste', text: long});
	expect(editorText(state)).toBe(`see ${long.replaceAll('\r\n', '\n')}!`);
	expect(editorView(state, 60, 5).lines.map(lineText)).toEqual(['see [pasted 214 lines]!']);
	expect(editorText(press(state, 'backspace'))).toBe('see !');
	expect(editorText(press(state, 'backspace undo'))).toBe(editorText(state));
	expect(editorText(press(state, 'clear ctrl+y'))).toBe(editorText(state));
});

const log = Array.from({length: 30}, (_, i) => `line ${i}`).join('\n');

test('a chip unfolds in place, from either side, and undo folds it again', () => {
	const folded = editorReduce(at('see |!'), {type: 'paste', text: log});
	for (const way of ['unfold', 'left unfold']) {
		const open = press(folded, way);
		expect(open.text).toBe(`see ${log}!`);
		expect(shown(open)).toBe(`see ${log}|!`);
		expect(press(open, 'undo').text).toBe(folded.text);
	}
	expect(press(folded, 'start unfold').text).toBe(folded.text);
});

test('text that returns from an external editor keeps its folds where their text still exists', () => {
	const folded = editorReduce(at('see |!'), {type: 'paste', text: log});
	const same = editorReduce(folded, {type: 'set', text: editorText(folded)});
	expect([same.text, same.cursor, same.undo]).toEqual([folded.text, folded.cursor, folded.undo]);
	const longer = editorReduce(folded, {type: 'set', text: `first ${editorText(folded)}`});
	expect(longer.text).not.toContain('line 3');
	expect(editorText(longer)).toBe(`first see ${log}!`);
	const changed = editorReduce(folded, {type: 'set', text: editorText(folded).replace('line 3\n', '')});
	expect(changed.text).toContain('line 4\n');
});

test('a stored draft is folded as before', () => {
	const state = press(editorReduce(at('see |!'), {type: 'paste', text: log}), 'X');
	const folds = editorFolds(state);
	expect(folds).toEqual([[4, 4 + log.length]]);
	const again = createEditor(editorText(state), [], folds);
	expect(again.text).toBe(state.text);
	expect(editorText(again)).toBe(editorText(state));
	expect(
		editorText(
			createEditor(
				'abc',
				[],
				[
					[-1, 2],
					[2, 9],
					[1, 1],
				],
			),
		),
	).toBe('abc');
});

test('a huge text from anywhere becomes one chip, and is whole when sent', () => {
	const text = 'word '.repeat(10_000);
	const state = createEditor(text);
	expect(state.text.length).toBe(2);
	expect(editorText(state)).toBe(text);
	expect(editorText(press(createEditor('', [text]), 'prev'))).toBe(text);
	expect(press(state, 'unfold').text).toBe(state.text);
});

test('a completion replaces what was typed, in one undo step', () => {
	const state = editorReduce(at('see @sr|c!'), {type: 'replace', start: 4, end: 7, text: 'src/a.ts '});
	expect(shown(state)).toBe('see src/a.ts |c!');
	expect(press(state, 'undo').text).toBe('see @src!');
});

test('keeps text that looks like a chip unchanged', () => {
	const state = editorReduce(createEditor(), {type: 'insert', text: 'a\u{f0000}b'});
	expect(editorText(state)).toBe('a\u{f0000}b');
	expect(editorText(createEditor('\u{f0001}'))).toBe('\u{f0001}');
});

test('keeps the cursor in view', () => {
	const state = createEditor('1\n2\n3\n4\n5\n6\n7\n8');
	const view = editorView(state, width, 3);
	expect(view.lines.map(lineText)).toEqual(['6', '7', '8']);
	expect(view.cursor).toEqual({x: 1, y: 2});
	expect(view.hidden).toEqual({above: 5, below: 0});
	expect(editorView({...state, cursor: 0}, width, 3).lines.map(lineText)).toEqual(['1', '2', '3']);
	expect(cursorEdge(state, width)).toEqual({isFirstRow: false, isLastRow: true});
});

test('draws pasted text clean', () => {
	const state = editorReduce(createEditor(), {type: 'paste', text: '\x1b[31mred\ttab'});
	expect(editorView(state, 60, 3).lines.map(lineText)).toEqual(['\u241b[31mred    tab']);
	expect(editorText(state)).toBe('\x1b[31mred\ttab');
});

/** The plainest editor there is: two lists of graphemes. */
function model([left, right]: [string, string], action: EditorAction): [string, string] {
	const before = graphemes(left);
	const after = graphemes(right);
	switch (action.type) {
		case 'insert':
			return [left + action.text.toWellFormed().replaceAll(/\r\n?/g, '\n'), right];
		case 'left':
			return [before.slice(0, -1).join(''), (before.at(-1) ?? '') + right];
		case 'right':
			return [left + (after[0] ?? ''), after.slice(1).join('')];
		case 'delete-back':
			return [before.slice(0, -1).join(''), right];
		case 'delete-forward':
			return [left, after.slice(1).join('')];
		case 'text-start':
			return ['', left + right];
		default:
			return [left + right, ''];
	}
}

const words = fc.constantFrom('a', 'bc ', '\u6f22', '\n', '\u{1f469}\u200d\u{1f680}', 'x\r\ny', '1.');

test('types and deletes like a list of graphemes', () => {
	const action = fc.oneof(
		words.map((text): EditorAction => ({type: 'insert', text})),
		fc.constantFrom<EditorAction>(
			{type: 'left'},
			{type: 'right'},
			{type: 'delete-back'},
			{type: 'delete-forward'},
			{type: 'text-start'},
			{type: 'text-end'},
		),
	);
	fc.assert(
		fc.property(fc.array(action, {maxLength: 40}), actions => {
			let state = createEditor();
			let expected: [string, string] = ['', ''];
			for (const one of actions) {
				state = editorReduce(state, one);
				expected = model(expected, one);
				expect([state.text.slice(0, state.cursor), state.text.slice(state.cursor)]).toEqual(expected);
			}
		}),
		{numRuns: 100},
	);
});

test('whatever is pressed, the cursor stays between graphemes, redo undoes undo, and the view fits', () => {
	const action = fc.oneof(
		hostileText.map((text): EditorAction => ({type: 'insert', text})),
		hostileText.map((text): EditorAction => ({type: 'paste', text})),
		fc.constantFrom(...Object.values(keys)),
	);
	fc.assert(
		fc.property(fc.array(action, {maxLength: 30}), fc.integer({min: 2, max: 30}), (actions, columns) => {
			let state = createEditor('', ['sent before']);
			for (const one of actions) {
				state = editorReduce(state, one);
				expect(state.cursor === 0 || boundaries(state.text).has(state.cursor)).toBe(true);
				const view = editorView(state, columns, 4);
				for (const line of view.lines)
					expect(stringWidth(lineText(line))).toBeLessThan(Math.max(3, columns + 1));
				expect(view.cursor.x).toBeLessThanOrEqual(columns);
				expect(view.cursor.y).toBeLessThan(4);
			}
			const all = (type: 'undo' | 'redo') => {
				while (state[type].length > 0) state = editorReduce(state, {type});
			};
			all('redo');
			const newest = state.text;
			all('undo');
			all('redo');
			expect(state.text).toBe(newest);
		}),
		{numRuns: 100},
	);
});

function boundaries(text: string): Set<number> {
	const all = new Set<number>();
	let index = 0;
	for (const grapheme of graphemes(text)) {
		index += grapheme.length;
		all.add(index);
	}
	return all;
}

/** The same editor over a list of units: a character, or a whole paste that is a chip. */
test('moving and deleting treat a pasted chip as one character, and every text is sent as pasted', () => {
	const paste = fc
		.tuple(fc.integer({min: 9, max: 12}), fc.constantFrom('x', '\u6f22', ' y '))
		.map(([count, word]) => Array.from({length: count}, () => word).join('\n'));
	const step = fc.oneof(
		paste.map(text => ({type: 'paste', text}) as const),
		fc.constantFrom('a', 'b ', '\u6f22').map(text => ({type: 'insert', text}) as const),
		fc.constantFrom(
			{type: 'left'} as const,
			{type: 'right'} as const,
			{type: 'delete-back'} as const,
			{type: 'delete-forward'} as const,
		),
	);
	fc.assert(
		fc.property(fc.array(step, {maxLength: 40}), steps => {
			let state = createEditor();
			const left: string[] = [];
			const right: string[] = [];
			for (const one of steps) {
				state = editorReduce(state, one);
				if (one.type === 'paste') left.push(one.text);
				else if (one.type === 'insert') left.push(...one.text);
				else if (one.type === 'left' && left.length > 0) right.unshift(left.pop() as string);
				else if (one.type === 'right' && right.length > 0) left.push(right.shift() as string);
				else if (one.type === 'delete-back') left.pop();
				else if (one.type === 'delete-forward') right.shift();
				expect(editorText(state)).toBe([...left, ...right].join(''));
				expect(editorText({...state, text: state.text.slice(0, state.cursor)})).toBe(left.join(''));
				const again = createEditor(editorText(state), [], editorFolds(state));
				expect(editorText(again)).toBe(editorText(state));
				expect(editorFolds(again)).toEqual(editorFolds(state));
			}
		}),
		{numRuns: 100},
	);
});

test.each([
	['abcdef', 6, 7, 'abcdef', 6],
	['abcdef', 6, 6, '…cdef', 5],
	['abcdef', 0, 5, 'abcd…', 0],
	['abcdefghi', 4, 5, '…cde…', 3],
	['abcdef', 5, 6, 'abcdef', 5],
	['漢字漢字', 4, 5, '…字', 3],
])('marks where a field is cut: %s at %i in %i columns', (text, cursor, columns, shown, x) => {
	expect(fieldView({text, cursor}, columns)).toEqual({text: shown, cursor: x});
});

test('a field fits, contains its cursor, and shows the whole text if there is room', () => {
	fc.assert(
		fc.property(hostileText, fc.nat(), fc.integer({min: 4, max: 20}), (raw, at, columns) => {
			const text = raw.replaceAll('\n', ' ');
			const cursor = graphemes(text)
				.slice(0, at % 30)
				.join('').length;
			const view = fieldView({text, cursor}, columns);
			expect(stringWidth(view.text)).toBeLessThanOrEqual(columns);
			expect(view.cursor).toBeLessThan(columns);
			// Each character has its own columns, also where two of them look like one when drawn.
			const end = fieldView({text, cursor: text.length}, 1000).cursor;
			if (end < columns) expect(view).toEqual(fieldView({text, cursor}, 1000));
		}),
		{
			numRuns: 100,
			// Characters of no width at the cursor and after it.
			examples: [
				['\u001b\u001b+q544e\u001b[?25h\u001b\u001b\u001b\ufe0f', 1930698947, 4],
				['\u001b\u001b_\u001b\u0000\u{f3c7a}\u{14647}', 282682115, 6],
				// Without the joiner, which isn't drawn, the two letters become a flag.
				['\u001b]\u{1f1e9}\u200d\u{1f1e9}[200~\u001b\u001b\u001b\t\u001b', 154788194, 17],
			],
		},
	);
});
