import {execFileSync} from 'node:child_process';
import {
	appendFileSync,
	mkdirSync,
	renameSync,
	rmSync,
	symlinkSync,
	truncateSync,
	writeFileSync,
} from 'node:fs';
import {join} from 'node:path';
import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {TranscriptFile, type TranscriptLine} from '../../../src/transcripts/transcript-file.ts';
import {temporaryFolder} from '../../support/local-service.ts';

const place = () => join(temporaryFolder(), 'session.jsonl');

/** All lines, read from the end. */
function back(file: TranscriptFile): TranscriptLine[] {
	const lines: TranscriptLine[] = [];
	for (let {end} = file; end > 0; ) {
		const read = file.before(end);
		expect(read.end).toBe(end);
		expect(read.start).toBeLessThan(end);
		lines.unshift(...read.lines);
		end = read.start;
	}
	return lines;
}

/** All lines, read from the start. */
function onward(file: TranscriptFile): TranscriptLine[] {
	const lines: TranscriptLine[] = [];
	for (let start = 0; start < file.end; ) {
		const read = file.from(start);
		expect(read.end).toBeGreaterThan(start);
		lines.push(...read.lines);
		start = read.end;
	}
	return lines;
}

const textsOf = (lines: readonly TranscriptLine[]) => lines.map(({text}) => text);

const anyLine = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.string({unit: 'binary', maxLength: 80}).map(text => text.replace(/[\n\r]/g, ' ')),
	},
	{weight: 2, arbitrary: fc.constant('')},
	{weight: 2, arbitrary: fc.integer({min: 100_000, max: 400_000}).map(length => 'é'.repeat(length))},
);

describe('lines', () => {
	test('are the same read backward or forward, each at its place', () => {
		const path = place();
		fc.assert(
			fc.property(fc.array(anyLine, {maxLength: 20}), fc.boolean(), (lines, isOpenEnded) => {
				const bytes = Buffer.from(lines.map(text => `${text}\n`).join('') + (isOpenEnded ? '{"half": ' : ''));
				writeFileSync(path, bytes);
				const file = new TranscriptFile(path);
				const expected = bytes
					.toString()
					.split('\n')
					.slice(0, -1)
					.filter(text => text.trim() !== '');
				for (const read of [back(file), onward(file)]) {
					expect(textsOf(read)).toEqual(expected);
					for (const {offset, end, text} of read) {
						expect(bytes.toString('utf8', offset, end)).toBe(`${text}\n`);
						expect(file.isLineStart(offset)).toBe(true);
					}
				}
				file.close();
			}),
			{numRuns: 20},
		);
	});

	test('are skipped if they are too long, in either direction', () => {
		const path = place();
		writeFileSync(path, `first\n${'x'.repeat(20 * 1024 * 1024)}\nlast\n`);
		const file = new TranscriptFile(path);
		expect(textsOf(back(file))).toEqual(['first', undefined, 'last']);
		expect(textsOf(onward(file))).toEqual(['first', undefined, 'last']);
		file.close();
	});

	test('count at the end without a line break once they are whole', () => {
		const path = place();
		writeFileSync(path, '{"a": 1}\n{"b": ');
		const file = new TranscriptFile(path);
		expect(textsOf(back(file))).toEqual(['{"a": 1}']);
		appendFileSync(path, '2}');
		expect(file.update()).toBe(true);
		expect(textsOf(back(file))).toEqual(['{"a": 1}', '{"b": 2}']);
		const {end} = file;
		appendFileSync(path, '\n{"c": 3}\n');
		expect(file.update()).toBe(true);
		expect(textsOf(file.from(end).lines)).toEqual(['{"c": 3}']);
		expect(textsOf(back(file))).toEqual(['{"a": 1}', '{"b": 2}', '{"c": 3}']);
		file.close();
	});
});

describe('a file that was replaced', () => {
	const replaced: readonly (readonly [string, (path: string) => void])[] = [
		['shortened', path => truncateSync(path, 3)],
		['emptied and written anew, longer than before', path => writeFileSync(path, '{"new": 1}\n'.repeat(20))],
		[
			'another one in its place',
			path => {
				writeFileSync(`${path}.new`, '{"a": 1}\n{"b": 2}\n{"c": 3}\n');
				renameSync(`${path}.new`, path);
			},
		],
	];
	test.each(replaced)('is noticed: %s', (_, replace) => {
		const path = place();
		writeFileSync(path, '{"a": 1}\n{"b": 2}\n');
		const file = new TranscriptFile(path);
		expect(file.update()).toBe(true);
		replace(path);
		expect(file.update()).toBe(false);
		file.close();
	});

	test('throws if nothing is there any more', () => {
		const path = place();
		writeFileSync(path, '{"a": 1}\n');
		const file = new TranscriptFile(path);
		rmSync(path);
		expect(() => file.update()).toThrow('There is no transcript');
		file.close();
	});
});

describe("a path that can't be trusted", () => {
	const linkTo = (path: string) => {
		writeFileSync(`${path}.real`, '{}\n');
		symlinkSync(`${path}.real`, path);
	};
	const hostile: [what: string, make: (path: string) => void, named?: string | undefined][] = [
		['a named pipe', path => execFileSync('mkfifo', [path])],
		['a link to a file', linkTo],
		['a folder', mkdirSync],
		['a device', () => {}, '/dev/zero'],
		['a relative path', () => {}, 'session.jsonl'],
		['a path with a zero byte', () => {}, '/tmp/session\0.jsonl'],
		['nothing', () => {}, undefined],
	];
	test.each(hostile)('refuses to open %s', (_, make, named) => {
		const path = place();
		make(path);
		expect(() => new TranscriptFile(named ?? path)).toThrow(
			expect.objectContaining({name: 'TranscriptError'}),
		);
	});

	test("refuses to open another user's file", () => {
		const path = place();
		writeFileSync(path, '{}\n');
		const own = process.getuid;
		process.getuid = () => 4242;
		try {
			expect(() => new TranscriptFile(path)).toThrow("The transcript isn't read");
		} finally {
			process.getuid = own as () => number;
		}
	});
});
