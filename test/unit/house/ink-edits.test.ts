import {execFile} from 'node:child_process';
import {mkdtemp, rm} from 'node:fs/promises';
import {tmpdir} from 'node:os';
import {join} from 'node:path';
import {promisify} from 'node:util';
import {type BuildOptions, build} from 'esbuild';
import stringWidth from 'string-width';
import {afterAll, beforeAll, describe, expect, test} from 'vitest';
import {editLibraries} from '../../../.ci/edit-libraries.ts';
import {LazySegmenter} from '../../../.ci/lazy-segmenter.ts';
import {aloneText, simpleText} from '../../../.ci/simple-text.ts';
import {times} from '../../support/random-cases.ts';
import {withoutDevtools} from '../../support/without-devtools.ts';

const run = promisify(execFile);
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), 'ink-edits-'));
	const shared: BuildOptions = {
		entryPoints: ['ink-frames.tsx', 'library-answers.ts'].map(name =>
			join(import.meta.dirname, 'fixtures', name),
		),
		bundle: true,
		platform: 'node',
		format: 'esm',
		outExtension: {'.js': '.mjs'},
		target: 'node22',
		define: {'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"'},
		banner: {
			js: 'import{createRequire as $require}from"node:module";const require=$require(import.meta.url);',
		},
	};
	await build({...shared, outdir: join(folder, 'stock'), plugins: [withoutDevtools()]});
	await build({...shared, outdir: join(folder, 'edited'), plugins: [editLibraries()]});
});

afterAll(() => rm(folder, {recursive: true, force: true}));

describe('the edited libraries', () => {
	test.each([
		['incremental', 80],
		['whole', 41],
	])('write the same bytes as the stock ones: %s rendering, %i columns', async (mode, columns) => {
		const draw = (libraries: string) =>
			run('node', [join(folder, libraries, 'ink-frames.mjs'), '4', `${50 * times}`, mode, String(columns)]);
		const [stock, edited] = await Promise.all([draw('stock'), draw('edited')]);
		expect(stock.stdout).toMatch(/^[0-9a-f]{64}$/);
		expect(edited.stdout).toBe(stock.stdout);
	});

	test('answer like the stock ones: string-width and undici', async () => {
		const answers = async (libraries: string) =>
			JSON.parse((await run('node', [join(folder, libraries, 'library-answers.mjs')])).stdout);
		const [stock, edited] = await Promise.all([answers('stock'), answers('edited')]);
		expect(stock).toMatchObject({
			widths: expect.arrayContaining([5]),
			requests: expect.arrayContaining([expect.arrayContaining([[200, 'POST', '/a?b=c →']])]),
		});
		expect(edited).toEqual(stock);
	});

	test('every simple character is one column and one grapheme, beside any other', () => {
		const isSimple = new RegExp(`^[${simpleText}]$`);
		const simple = Array.from({length: 0x10000}, (_, code) => String.fromCharCode(code)).filter(char =>
			isSimple.test(char),
		);
		expect(simple.length).toBeGreaterThan(1000);
		const real = new Intl.Segmenter();
		const parts = (char: string) => [...real.segment(`a${char}─${char}`)].length;
		expect(simple.filter(char => stringWidth(char) !== 1 || parts(char) !== 4)).toEqual([]);
	});

	test('every character that the lazy segmenter splits by itself is one grapheme, beside any other', () => {
		const isAlone = new RegExp(`^${aloneText}$`, 'v');
		const alone = Array.from({length: 0x20000}, (_, code) => code)
			.filter(code => code < 0xd800 || code > 0xdfff)
			.map(code => String.fromCodePoint(code))
			.filter(character => isAlone.test(character));
		expect(alone.length).toBeGreaterThan(30_000);
		const text = alone.join('🎉한');
		expect(Array.from(new Intl.Segmenter().segment(text), ({segment}) => segment)).toEqual([...text]);
	});

	test('the lazy segmenter answers like the real one', () => {
		const lazy = new LazySegmenter(undefined, {granularity: 'grapheme'});
		const real = new Intl.Segmenter(undefined, {granularity: 'grapheme'});
		for (const text of [
			'',
			'plain',
			'box ─│╭ …',
			'👩‍👩‍👧 e\u0301',
			'\u001B[31mx\u001B[39m',
			'日本\n語',
			'✅ 🎉語🎉',
		])
			expect([...lazy.segment(text)], text).toEqual(
				[...real.segment(text)].map(({segment, index, input}) => ({segment, index, input})),
			);
		const text = '✅ 🎉語';
		for (let at = 0; at <= text.length; at++)
			expect(lazy.segment(text).containing(at)?.segment).toBe(real.segment(text).containing(at)?.segment);
	});
});
