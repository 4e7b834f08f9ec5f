import {
	closeSync,
	constants,
	existsSync,
	fstatSync,
	lstatSync,
	openSync,
	readFileSync,
	renameSync,
	rmSync,
	type Stats,
	writeFileSync,
} from 'node:fs';
import {dirname} from 'node:path';
import {Script} from 'node:vm';
import {makeFolder} from '../hooks/runtime-folder.ts';

/** A script of the build: an expression that is a function of `module` and `require`. */
type ScriptFile = {
	readonly file: string;
	/** Identifies the content of the script, 16 characters. */
	readonly identity: string;
	/** Where the compiled code is cached between runs; not cached when absent. */
	readonly cacheFile: string | undefined;
	/** Resolves what the script requires, before Node's own `require` is asked. */
	readonly resolve?: (id: string) => unknown;
};

export type CompiledScript<Exports> = {
	readonly exports: Exports;
	/** Caches the code of all functions that have run so far, unless a valid cache was loaded. */
	saveCache(): void;
};

/**
 * Runs a script with the code that V8 compiled in an earlier run. Node's own compile cache holds only what is compiled
 * at load, and nearly all functions are compiled on their first call: with it the first frame took 1.5 times, and
 * `messages` 1.3 times as long.
 *
 * V8 executes cached code without checking it: another user's code would run as ours, and a flipped bit crashes the
 * process. So the cache is used only when nobody else could have written it and its checksum matches; otherwise it is
 * deleted and the script is compiled.
 */
export function runScript<Exports>({
	file,
	identity,
	cacheFile,
	resolve,
}: ScriptFile): CompiledScript<Exports> {
	const cachedData = cacheFile === undefined ? undefined : loadCache(cacheFile, identity);
	const script = new Script(readFileSync(file, 'utf8'), {filename: file, cachedData});
	const isCached = cachedData !== undefined && script.cachedDataRejected === false;
	const module = {exports: {} as Exports};
	script.runInThisContext()(module, (id: string) => {
		const required = resolve?.(id) ?? process.getBuiltinModule(id);
		if (required === undefined) throw new Error(`${id} is no script of the build`);
		return required;
	});
	return {
		exports: module.exports,
		saveCache() {
			// A program that was removed meanwhile leaves nothing behind.
			if (cacheFile === undefined || isCached || !existsSync(file)) return;
			writeCache(cacheFile, identity, script.createCachedData());
		},
	};
}

/** Finds damage. Loaded when a script is: `--version` and `--help` do without. `node:crypto` takes 4 ms to load. */
function checksum(bytes: Buffer): string {
	return process.getBuiltinModule('node:zlib').crc32(bytes).toString(16).padStart(checksumLength, '0');
}

/** A cache file holds the checksum of the rest (hexadecimal digits), the identity of its script, and the code. */
const checksumLength = 8;

function loadCache(cacheFile: string, identity: string): Buffer | undefined {
	try {
		if (!isOwnFolder(dirname(cacheFile))) return undefined;
		const bytes = readOwnFile(cacheFile);
		const codeStart = checksumLength + identity.length;
		const isIntact = bytes.toString('latin1', 0, checksumLength) === checksum(bytes.subarray(checksumLength));
		if (isIntact && bytes.toString('latin1', checksumLength, codeStart) === identity)
			return bytes.subarray(codeStart);
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
	}
	removeQuietly(cacheFile);
	return undefined;
}

/** Reads a file that only we can have written. Throws when it may be another user's. */
function readOwnFile(file: string): Buffer {
	const descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	try {
		const found = fstatSync(descriptor);
		if (!found.isFile() || found.nlink !== 1 || !isOwn(found)) throw new Error('may belong to another user');
		return readFileSync(descriptor);
	} finally {
		closeSync(descriptor);
	}
}

function isOwnFolder(folder: string): boolean {
	const found = lstatSync(folder);
	return found.isDirectory() && isOwn(found);
}

/** Belongs to this user and nobody else may write to it. */
function isOwn({uid, mode}: Stats): boolean {
	return uid === process.getuid?.() && (mode & 0o022) === 0;
}

/** Failing costs only time: the next start compiles again. */
function writeCache(cacheFile: string, identity: string, code: Buffer): void {
	const folder = dirname(cacheFile);
	// One name for all processes, so that killed ones leave one file at most. Two that write at once spoil the checksum.
	const temporary = `${cacheFile}.new`;
	try {
		makeFolder(folder, 0o700);
		if (!isOwnFolder(folder)) return;
		rmSync(temporary, {force: true});
		const content = Buffer.concat([Buffer.from(identity, 'latin1'), code]);
		const bytes = Buffer.concat([Buffer.from(checksum(content), 'latin1'), content]);
		writeFileSync(temporary, bytes, {mode: 0o600, flag: 'wx', flush: true});
		renameSync(temporary, cacheFile);
	} catch {
		removeQuietly(temporary);
	}
}

function removeQuietly(file: string): void {
	try {
		rmSync(file, {force: true});
	} catch {
		// A folder that can't be written to: the file stays unused.
	}
}
