import {closeSync, fstatSync, openSync, readSync, renameSync, writeFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import {dirname} from 'node:path';
import {Script} from 'node:vm';
import {makeFolder} from '../hooks/make-folder.ts';

const wasmPage = 64 * 1024;

/** A script of the build, in ASCII: an expression that is a function of `module` and `require`. */
export type ScriptFile = {
	readonly file: string;
	/** Differs for every other content of the script, 16 characters. */
	readonly identity: string;
	/** Where compiled code is kept between runs; nowhere when absent. */
	readonly kept: string | undefined;
	/** What its `require` answers before Node's own is asked. */
	readonly answer?: (id: string) => unknown;
};

export type CompiledScript<Exports> = {
	readonly exports: Exports;
	/** Keeps the code of all functions that have run until now, unless an earlier run did. */
	keep(): void;
};

/**
 * Runs a script with the code that V8 compiled of it in an earlier run. Node's own compile cache holds no function
 * that is compiled on its first call, which is nearly all of them.
 */
export function runScript<Exports>({file, identity, kept, answer}: ScriptFile): CompiledScript<Exports> {
	const cachedData = kept === undefined ? undefined : readKept(kept, identity);
	const script = new Script(readFile(file).toString('latin1'), {
		filename: file,
		...(cachedData && {cachedData}),
	});
	const isKept = cachedData !== undefined && script.cachedDataRejected === false;
	const module = {exports: {} as Exports};
	const ofNode = createRequire(file);
	script.runInThisContext()(module, (id: string) => answer?.(id) ?? ofNode(id));
	return {
		exports: module.exports,
		keep() {
			if (kept === undefined || isKept) return;
			try {
				writeKept(kept, Buffer.concat([Buffer.from(identity, 'latin1'), script.createCachedData()]));
			} catch {
				// The next start compiles again: only time is lost.
			}
		},
	};
}

/** What is kept begins with the identity of its script: V8 itself compares no more than the length. */
function readKept(kept: string, identity: string): Buffer | undefined {
	try {
		const bytes = readFile(kept);
		const isOurs = bytes.toString('latin1', 0, identity.length) === identity;
		return isOurs ? bytes.subarray(identity.length) : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Reads into memory that malloc knows nothing of. When glibc's is given back a piece of some megabytes, it takes such
 * sizes for usual and lets each thread keep as much: 10 MB that V8's threads have used once, to compile.
 */
function readFile(file: string): Buffer {
	const descriptor = openSync(file, 'r');
	try {
		const {size} = fstatSync(descriptor);
		const {buffer} = new WebAssembly.Memory({initial: Math.ceil(size / wasmPage)});
		const bytes = Buffer.from(buffer, 0, size);
		let end = 0;
		for (let count = -1; count !== 0 && end < size; end += count) {
			count = readSync(descriptor, bytes, end, size - end, null);
		}
		return bytes.subarray(0, end);
	} finally {
		closeSync(descriptor);
	}
}

/** V8 checks the length of what it is given but not its content: no half-written file may ever stand there. */
function writeKept(kept: string, bytes: Buffer): void {
	makeFolder(dirname(kept), 0o700);
	const temporary = `${kept}.${process.pid}`;
	writeFileSync(temporary, bytes, {mode: 0o600, flush: true});
	renameSync(temporary, kept);
}
