import fc from 'fast-check';
import {expect, test} from 'vitest';
import {InputFilter, type InputListeners, maxPasteLength} from '../../../src/term/guarded-stdin.ts';

const start = '\x1b[200~';
const end = '\x1b[201~';

function filter() {
	const keys: string[] = [];
	const reported: string[] = [];
	const listeners: InputListeners = {
		keys: text => keys.push(text),
		focus: isFocused => reported.push(isFocused ? 'focus' : 'blur'),
		mouse: ({button, x, y, isRelease}) => reported.push(`mouse ${button} ${x},${y}${isRelease ? ' up' : ''}`),
		background: answer => reported.push(`background ${answer}`),
		colorsChanged: () => reported.push('colors'),
		suspend: () => reported.push('suspend'),
		pasteCut: length => reported.push(`cut ${length}`),
	};
	const made = new InputFilter(listeners);
	return {
		keys: () => keys.join(''),
		count: () => keys.length,
		reported,
		pending: () => made.pending,
		push: (...chunks: string[]) => {
			for (const chunk of chunks) made.push(chunk);
		},
		flush: () => made.flush(),
	};
}

test('keys and reports in one read keep their order, and Esc before a report is a key', () => {
	const seen: string[] = [];
	const none = () => {};
	const made = new InputFilter({
		keys: text => seen.push(text),
		focus: isFocused => seen.push(isFocused ? 'focus' : 'blur'),
		mouse: ({x, y}) => seen.push(`mouse ${x},${y}`),
		background: none,
		colorsChanged: none,
		suspend: none,
		pasteCut: none,
	});
	made.push('abc\x1b[<0;3;4Mdef\x1b\x1b[Iq');
	expect(seen).toEqual(['abc', 'mouse 2,3', 'def\x1b[27u', 'focus', 'q']);
});

test.each([
	['keys', ['a', '\x1b[A', '\r'], 'a\x1b[A\r', []],
	[
		'focus and mouse are taken out',
		['x\x1b[I\x1b[<0;3;4My\x1b[<0;3;4m\x1b[O'],
		'xy',
		['focus', 'mouse 0 2,3', 'mouse 0 2,3 up', 'blur'],
	],
	['a report of bytes', ['x\x1b[M !!y', '\x1b[M#', '%', '$z'], 'xyz', []],
	[
		'reports without sense are taken out, too',
		['a\x1b[<0;0;1Mb\x1b[<;;Mc\x1b[<99999;1;1md\x1b[<0;1;1;1;1Me\x1b[<Mf\x1b[M\x00\x01\x02g'],
		'abcdefg',
		[],
	],
	[
		'function keys get a character that stands for them',
		['\x1bOQ\x1b[15~', '\x1b[2', '~', '\x1b[1;5P\x1b[24;2~'],
		'\x1b[1113858;1u\x1b[1113861;1u\x1b[1113856;1u\x1b[1113857;5u\x1b[1113868;2u',
		[],
	],
	[
		'keys that look like the start of one pass',
		['\x1b[3~', '\x1b[1;5A', '\x1b[5~'],
		'\x1b[3~\x1b[1;5A\x1b[5~',
		[],
	],
	['a report in pieces', ['\x1b[', '<65;1', '0;2M', 'z'], 'z', ['mouse 65 9,1']],
	[
		'a paste in pieces is given whole',
		['\x1b[20', '0~one', '\r\ntwo\x1b[20', '1~', 'q'],
		`${start}one\r\ntwo${end}q`,
		[],
	],
	['reports inside a paste are text', [`${start}\x1b[I\x1a${end}`], `${start}\x1b[I\x1a${end}`, []],
	['a start inside a paste', [`${start}a${start}b${end}c`], `${start}ab${end}c`, []],
	['two pastes in one read', [`${start}a${end}b${start}c${end}`], `${start}a${end}b${start}c${end}`, []],
	[
		'Ctrl+Z, in every encoding and in pieces',
		['\x1a', '\x1b[122;5u', '\x1b[122', ';5:1u', '\x1b[27;5', ';122~', '\x1b[12', '2;69u', 'a\x1ab'],
		'a\x1ab',
		Array(5).fill('suspend'),
	],
	[
		'with Ctrl, a letter of another alphabet is the key at its place; on a Latin layout the letter counts',
		['\x1b[1089::99;5u', '\x1b[108', '3::114;5u', '\x1b[99::105;5u', '\x1b[97:65;6u'],
		'\x1b[99;5u\x1b[114;5u\x1b[99;5u\x1b[97;6u',
		[],
	],
	[
		'keys of modifyOtherKeys become those that Ink knows, also in pieces',
		['\x1b[27;2;13~', '\x1b[27;5;1', '05~x\x1b[27;', '6;', '65~'],
		'\x1b[13;2u\x1b[105;5ux\x1b[65;6u',
		[],
	],
	['the same with modifyOtherKeys', [`${start}lost\r`, '\x1b[27;5;99~', '\x1b[27;5;99~'], '\x03', []],
	['Ctrl+C twice drops a paste that never ends', [`${start}lost\r`, '\x03', '\x03', 'a', end], '\x03a', []],
	[
		'the same in one read, and in the kitty protocol',
		[`${start}lost\r`, '\x1b[99;5u\x1b[1089::99;69u'],
		'\x03',
		[],
	],
	[
		'what the terminal tells of its colors is taken out',
		['a\x1b]11;rgb:1111/1313/1a1a\x1b\\b\x1b]11;#fff\x07c\x1b[?997;2n\x1b]10;rgb:0/0/0\x07\x1b]4;1;x\x07d'],
		'abcd',
		['background rgb:1111/1313/1a1a', 'background #fff', 'colors'],
	],
	['an answer in pieces', ['\x1b', ']1', '1;rgb:ff', '/ff/ff\x1b', '\\q'], 'q', ['background rgb:ff/ff/ff']],
	['a change in pieces', ['\x1b[?9', '97;', '1nq'], 'q', ['colors']],
	['answers of the keyboard pass', ['\x1b[?', '1u\x1b[?62;4c'], '\x1b[?1u\x1b[?62;4c', []],
	[
		'an answer inside a paste is text',
		[`${start}\x1b]11;#fff\x07${end}`],
		`${start}\x1b]11;#fff\x07${end}`,
		[],
	],
	['Ctrl+C once does not', [`${start}kept`, '\x03', `!${end}`], `${start}kept\x03!${end}`, []],
])('%s', (_, chunks, keys, reported) => {
	const input = filter();
	input.push(...chunks);
	expect(input.keys()).toBe(keys);
	expect(input.reported).toEqual(reported);
});

test('holds the start of a sequence, and passes it on if nothing follows', () => {
	const input = filter();
	input.push('a\x1b');
	expect(input.keys()).toBe('a');
	expect(input.pending()).toBe('start');
	input.flush();
	// A whole Esc key, for which Ink waits no longer.
	expect(input.keys()).toBe('a\x1b[27u');
	expect(input.pending()).toBeUndefined();
});

test('Alt with a bracket is a key, and waits no longer than Esc', () => {
	const input = filter();
	input.push('\x1b]');
	expect(input.pending()).toBe('start');
	input.flush();
	input.push('1');
	expect(input.keys()).toBe('\x1b]1');
});

test('holds an answer that never ends for longer, then passes it on', () => {
	const input = filter();
	input.push('a\x1b]11;rgb:12');
	expect(input.pending()).toBe('answer');
	input.flush();
	expect(input.keys()).toBe('a\x1b]11;rgb:12');
	const long = filter();
	long.push(`\x1b]11;${'x'.repeat(65)}`, 'q\x07');
	expect(long.pending()).toBeUndefined();
	expect(long.keys()).toBe(`\x1b]11;${'x'.repeat(65)}q\x07`);
});

test('an answer arrives once and no key is lost, however the reads are cut', () => {
	const part = fc.constantFrom(
		'k',
		'\x1b[A',
		'\x1b]11;rgb:1/2/3\x07',
		'\x1b]11;\x1b\\',
		'\x1b[?997;1n',
		'\x1b[I',
		'\x1bx',
	);
	fc.assert(
		fc.property(
			fc.array(part, {maxLength: 10}),
			fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 9}),
			(parts, cuts) => {
				const stream = parts.join('');
				const input = filter();
				for (let at = 0, i = 0; at < stream.length; i++) {
					const length = cuts[i % cuts.length] ?? 1;
					input.push(stream.slice(at, at + length));
					at += length;
				}
				input.flush();
				expect(input.keys()).toBe(parts.filter(one => /^(?:k|\x1b\[A|\x1bx)$/.test(one)).join(''));
				expect(input.reported).toHaveLength(parts.filter(one => /[\]?I]/.test(one)).length);
			},
		),
		{numRuns: 200},
	);
});

test('hostile reports never leak into the keys, and no key among them is lost, wherever they are cut', () => {
	const digits = fc.string({maxLength: 12, unit: fc.constantFrom('0', '1', '9', ';')});
	const hostile = fc.oneof(
		digits.map(text => `\x1b[<${text}M`),
		digits.map(text => `\x1b[<${text}m`),
		fc.tuple(fc.nat(300), fc.nat(99999), fc.nat(99999)).map(([b, x, y]) => `\x1b[<${b};${x};${y}M`),
		fc
			.string({minLength: 3, maxLength: 3, unit: fc.constantFrom(' ', '!', '~', '\ufffd', '\0')})
			.map(bytes => `\x1b[M${bytes}`),
	);
	const key = fc.constantFrom('k', '\r', 'é', '\x1b[A', '\x1b[3~');
	fc.assert(
		fc.property(
			fc.array(
				fc.oneof(
					hostile.map(text => ({text, isKey: false})),
					key.map(text => ({text, isKey: true})),
				),
				{maxLength: 12},
			),
			fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 9}),
			(parts, cuts) => {
				const stream = parts.map(({text}) => text).join('');
				const input = filter();
				for (let at = 0, i = 0; at < stream.length; i++) {
					const length = cuts[i % cuts.length] ?? 1;
					input.push(stream.slice(at, at + length));
					at += length;
				}
				input.flush();
				expect(input.keys()).toBe(
					parts
						.filter(({isKey}) => isKey)
						.map(({text}) => text)
						.join(''),
				);
				for (const reported of input.reported)
					expect(reported).toMatch(/^mouse \d{1,4} \d{1,5},\d{1,5}( up)?$/);
			},
		),
		{numRuns: 200},
	);
});

test('cuts off a paste beyond the limit, and says so', () => {
	const input = filter();
	const chunk = 'x'.repeat(64 * 1024);
	input.push(start, ...Array.from({length: 40}, () => chunk), `${end}after`);
	expect(input.keys()).toBe(`${start}${'x'.repeat(maxPasteLength)}${end}after`);
	expect(input.reported).toEqual([`cut ${40 * chunk.length}`]);
});

test('a paste arrives whole, once, and not as keys, however the reads are cut; Ctrl+C works after any part', () => {
	const piece = fc.constantFrom(
		'\r',
		'q',
		'text',
		'\x1b',
		'\x1b[',
		'[20',
		'0~',
		'1~',
		'\x1b[A',
		'\x1b[I',
		'\x1a',
		'\u{1f680}',
	);
	const body = fc.array(piece, {maxLength: 12}).map(parts => parts.join(''));
	fc.assert(
		fc.property(body, fc.array(fc.integer({min: 1, max: 9}), {minLength: 1, maxLength: 20}), (text, cuts) => {
			fc.pre(!text.includes(end) && !text.includes(start) && !`${text}${end}`.slice(0, -1).includes(end));
			const whole = filter();
			const stream = `a${start}${text}${end}b`;
			for (let at = 0, i = 0; at < stream.length; i++) {
				const length = cuts[i % cuts.length] ?? 1;
				whole.push(stream.slice(at, at + length));
				at += length;
			}
			whole.flush();
			expect(whole.keys()).toBe(stream);
			const endless = filter();
			endless.push(`${start}${text}`, '\x03', '\x03');
			expect(endless.keys()).toBe('\x03');
			endless.push('k');
			expect(endless.keys()).toBe('\x03k');
		}),
		{numRuns: 200},
	);
});
