import fc from 'fast-check';
import {expect, test} from 'vitest';
import {guardWrite} from '../../../src/term/guarded-stdout.ts';
import {hostileText} from '../../support/hostile-text.ts';

test.each([
	'plain\ntext \u6f22 \u{1f469}\u200d\u{1f680}',
	'\x1b[?2026h\x1b[?25l\x1b[2A\x1b[E\x1b[1G\x1b[K\x1b[32mready\x1b[39m\n\x1b[?2026l',
	'\x1b[38;2;1;2;3m\x1b[48:5:7m\x1b[m\x1b[0m',
	'\x1b[?1049h\x1b[>1u\x1b[<u\x1b[?u\x1b[?2004h\x1b[1;1H\x1b[J\x1b[2K\x1b[G\x1b[5B\x1b[3C\x1b[3D',
])('passes what Ink writes unchanged: %j', frame => {
	expect(guardWrite(frame)).toEqual({text: frame, foreign: 0});
});

test.each([
	['\x1b]0;title\x07', '\u241b]0;title\u2407', 2],
	['\x1b[2J', '\u241b[2J', 1],
	['\x1b[?1000h', '\u241b[?1000h', 1],
	['\x1b[6n', '\u241b[6n', 1],
	['\x1b\x1b[31m', '\u241b\x1b[31m', 1],
	['\x1bPq\x1b\\', '\u241bPq\u241b\\', 2],
	['\x1bc', '\u241bc', 1],
	['\x9b2J\x85', '\ufffd2J\ufffd', 2],
	['a\rb\tc\bd\x0e\x7f', 'a\u240db\u2409c\u2408d\u240e\ufffd', 5],
	['\u202e\u2066\u200f', '\ufffd\ufffd\ufffd', 3],
	['\x1b[3', '\u241b[3', 1],
])('shows %j instead of obeying it', (raw, text, foreign) => {
	expect(guardWrite(raw)).toEqual({text, foreign});
});

test('lets only the closed set through, and guarding twice changes nothing more', () => {
	const closedSet = /\x1b\[(?:[\d;:]*m|\d*[ABCDEGKJ]|\d+;\d+H|\?(?:25|1049|2004|2026)[hl]|\?u|>\d+u|<u)/g;
	fc.assert(
		fc.property(hostileText, raw => {
			const {text} = guardWrite(raw);
			expect(/[\0-\x09\x0b-\x1f\x7f-\x9f]/.exec(text.replaceAll(closedSet, ''))).toBeNull();
			expect(guardWrite(text)).toEqual({text, foreign: 0});
		}),
		{numRuns: 200},
	);
});
