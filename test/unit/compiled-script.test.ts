import {execFileSync} from 'node:child_process';
import {
	chmodSync,
	chownSync,
	copyFileSync,
	existsSync,
	linkSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	renameSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import {dirname, join} from 'node:path';
import {describe, expect, test} from 'vitest';
import {runScript} from '../../src/compiled-script.ts';
import {temporaryFolder} from '../support/local-service.ts';

type Greeter = {greet(name: string): string};

function place(text = 'Hello'): {readonly file: string; readonly folder: string; readonly cacheFile: string} {
	const folder = temporaryFolder();
	const file = join(folder, 'program.js');
	const greeting = `"use strict";(function(module,require){
		const {basename} = require('node:path');
		module.exports = {greet: name => '${text} ' + basename(name)};
	})`;
	writeFileSync(file, greeting);
	return {file, folder, cacheFile: join(folder, 'cache/compiled/screen')};
}

/** The same script at another place: within one process, V8 remembers what it compiled by place and content. */
function moved(file: string): string {
	const copy = `${file}.moved.js`;
	copyFileSync(file, copy);
	return copy;
}

describe('a script', () => {
	test('runs, and runs again with the code from the cache', () => {
		const {file, cacheFile} = place();
		const first = runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile});
		expect(first.exports.greet('/x/ada')).toBe('Hello ada');
		first.saveCache();
		const {mtimeMs, mode} = statSync(cacheFile);
		expect(mode & 0o777).toBe(0o600);
		const second = runScript<Greeter>({file: moved(file), identity: 'a'.repeat(16), cacheFile});
		expect(second.exports.greet('/x/ada')).toBe('Hello ada');
		second.saveCache();
		expect(statSync(cacheFile).mtimeMs, 'a cache that was used is not written again').toBe(mtimeMs);
	});

	test('of another content never runs the code of the one before it, though it is as long', () => {
		const {file, cacheFile} = place('Hello');
		const before = runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile});
		before.exports.greet('ada');
		before.saveCache();
		const next = place('Salut');
		const after = runScript<Greeter>({file: next.file, identity: 'b'.repeat(16), cacheFile});
		expect(after.exports.greet('ada')).toBe('Salut ada');
		after.saveCache();
		const last = runScript<Greeter>({file: moved(next.file), identity: 'b'.repeat(16), cacheFile});
		expect(last.exports.greet('ada')).toBe('Salut ada');
	});

	test('requires other scripts of the build before modules of Node', () => {
		const {file, cacheFile} = place();
		const answer = (id: string) =>
			id === 'node:path' ? {basename: (path: string) => `<${path}>`} : undefined;
		const answered = runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile, resolve: answer});
		expect(answered.exports.greet('/x/ada')).toBe('Hello </x/ada>');
		const unanswered = runScript<Greeter>({
			file,
			identity: 'a'.repeat(16),
			cacheFile,
			resolve: () => undefined,
		});
		expect(unanswered.exports.greet('/x/ada')).toBe('Hello ada');
	});

	const flipped = (at: (length: number) => number) => (bytes: Buffer) => {
		const copy = Buffer.from(bytes);
		const index = at(bytes.length);
		copy[index] = (copy[index] ?? 0) ^ 1;
		return copy;
	};

	test.each([
		['cut', (bytes: Buffer) => bytes.subarray(0, bytes.length / 2)],
		['nothing but its checksum', (bytes: Buffer) => bytes.subarray(0, 8)],
		['zeros after its checksum', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 8), Buffer.alloc(999)])],
		['zeros at its end', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, -64), Buffer.alloc(64)])],
		['one bit off in its checksum', flipped(() => 3)],
		['one bit off in its code', flipped(length => Math.floor(length / 2))],
		['one bit off in its last byte', flipped(length => length - 1)],
		['something else', () => Buffer.from('something else')],
		['empty', () => Buffer.alloc(0)],
	])('compiles again when its cache is %s, and caches that', (_, damage) => {
		const {file, cacheFile} = place();
		const script = {file, identity: 'a'.repeat(16), cacheFile};
		runScript<Greeter>(script).saveCache();
		const sound = statSync(cacheFile).size;
		writeFileSync(cacheFile, damage(readFileSync(cacheFile)));
		const again = runScript<Greeter>({...script, file: moved(file)});
		expect(again.exports.greet('ada')).toBe('Hello ada');
		expect(existsSync(cacheFile), 'damage is deleted at once').toBe(false);
		again.saveCache();
		expect(statSync(cacheFile).size).toBeGreaterThanOrEqual(sound);
	});

	/** A cache with a sound checksum that makes V8 run other code in the place of the script. */
	function poisoned() {
		const {file, cacheFile} = place('Hello');
		const other = place('Salut');
		const script = runScript<Greeter>({file: other.file, identity: 'a'.repeat(16), cacheFile});
		script.exports.greet('ada');
		script.saveCache();
		return {file: moved(file), folder: dirname(cacheFile), cacheFile};
	}
	const greet = ({file, cacheFile}: {file: string; cacheFile: string}) =>
		runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile}).exports.greet('ada');

	test('would run whatever code the cache holds', () => {
		expect(greet(poisoned()), 'else the next tests prove nothing').toBe('Salut ada');
	});

	type Poisoned = ReturnType<typeof poisoned>;
	test.for<[string, (made: Poisoned) => void, {needsRoot?: boolean}?]>([
		['others may write to its file', ({cacheFile}) => chmodSync(cacheFile, 0o622)],
		['others may write to its folder', ({folder}) => chmodSync(folder, 0o777)],
		[
			'its file belongs to another user',
			({cacheFile}) => chownSync(cacheFile, 65534, 65534),
			{needsRoot: true},
		],
		['its folder belongs to another user', ({folder}) => chownSync(folder, 65534, 65534), {needsRoot: true}],
		[
			'its file is a link',
			({cacheFile}) => {
				renameSync(cacheFile, `${cacheFile}.real`);
				symlinkSync(`${cacheFile}.real`, cacheFile);
			},
		],
		['its file has a second name', ({cacheFile}) => linkSync(cacheFile, `${cacheFile}.second`)],
		[
			'its folder is a link',
			({folder}) => {
				renameSync(folder, `${folder}.real`);
				symlinkSync(`${folder}.real`, folder);
			},
		],
	])('does not run cached code when %s', ([, tamper, {needsRoot = false} = {}], {skip}) => {
		if (needsRoot && process.getuid?.() !== 0) return skip('needs root to make files of another user');
		const made = poisoned();
		tamper(made);
		expect(greet(made)).toBe('Hello ada');
	});

	test('never hangs on a cache that is a pipe', () => {
		const {file, cacheFile} = place();
		mkdirSync(dirname(cacheFile), {recursive: true, mode: 0o700});
		execFileSync('mkfifo', [cacheFile]);
		expect(greet({file, cacheFile})).toBe('Hello ada');
		expect(existsSync(cacheFile)).toBe(false);
	});

	test('leaves no temporary file when the disk is full', () => {
		const {file, cacheFile} = place();
		const source = new URL('../../src/compiled-script.ts', import.meta.url).href;
		const run = `import {runScript} from ${JSON.stringify(source)};
			const script = runScript(${JSON.stringify({file, identity: 'a'.repeat(16), cacheFile})});
			console.log(script.exports.greet('ada'));
			script.saveCache();`;
		// No file may grow beyond nothing.
		const limited = ['-c', 'ulimit -f 0; exec "$0" --input-type=module -e "$1"', process.execPath, run];
		const output = execFileSync('sh', limited, {
			timeout: 60_000,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		});
		expect(output).toBe('Hello ada\n');
		expect(readdirSync(dirname(cacheFile))).toEqual([]);
	});

	test('runs when nothing can be cached', () => {
		const {file, folder, cacheFile} = place();
		writeFileSync(join(folder, 'cache'), 'in the way');
		const script = runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile});
		script.saveCache();
		expect(script.exports.greet('ada')).toBe('Hello ada');
		const nowhere = runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile: undefined});
		nowhere.saveCache();
		expect(nowhere.exports.greet('ada')).toBe('Hello ada');
	});

	test('leaves nothing beside its cache', () => {
		const {file, cacheFile} = place();
		mkdirSync(join(cacheFile, '..'), {recursive: true});
		runScript<Greeter>({file, identity: 'a'.repeat(16), cacheFile}).saveCache();
		expect(readdirSync(join(cacheFile, '..'))).toEqual(['screen']);
	});
});
