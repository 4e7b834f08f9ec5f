import {promises as files} from 'node:fs';
import type {FileHandle} from 'node:fs/promises';
import {basename, dirname, join} from 'node:path';
import {strings} from './strings.ts';

export type Written =
	| {readonly state: 'written'; readonly bytes: number}
	/** A file of that name exists and was not to be replaced. */
	| {readonly state: 'exists'}
	| {readonly state: 'failed'; readonly what: string};

/** Chunks are joined into blocks of about this many characters; the event loop runs between two writes. */
const blockSize = 64 * 1024;

/**
 * Writes text in chunks to a file with mode 0600, completely or not at all. An existing file is kept, unless
 * `replaces`: then it is replaced atomically.
 */
export async function writeFile(path: string, pieces: Iterable<string>, replaces: boolean): Promise<Written> {
	const {randomBytes} = await import('node:crypto');
	// In the same folder, so that the rename is atomic.
	const written = replaces
		? join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`)
		: path;
	let handle: FileHandle | undefined;
	try {
		handle = await files.open(written, 'wx', 0o600);
		const bytes = await writeAll(handle, pieces);
		await handle.close();
		if (replaces) await files.rename(written, path);
		return {state: 'written', bytes};
	} catch (error) {
		const {code} = error as NodeJS.ErrnoException;
		if (!handle) return code === 'EEXIST' ? {state: 'exists'} : {state: 'failed', what: reasonOf(code, path)};
		await handle.close().catch(() => undefined);
		await files.unlink(written).catch(() => undefined);
		if (code === undefined) throw error;
		return {state: 'failed', what: reasonOf(code, path)};
	}
}

async function writeAll(handle: FileHandle, pieces: Iterable<string>): Promise<number> {
	let bytes = 0;
	let block = '';
	const flush = async () => {
		const {bytesWritten} = await handle.write(block);
		if (bytesWritten < Buffer.byteLength(block))
			throw Object.assign(new Error('short write'), {code: 'ENOSPC'});
		bytes += bytesWritten;
		block = '';
	};
	for (const piece of pieces) {
		block += piece;
		if (block.length >= blockSize) await flush();
	}
	if (block !== '') await flush();
	return bytes;
}

const reasons: Readonly<Record<string, string>> = strings.files.reasons;

function reasonOf(code: string | undefined, path: string): string {
	return strings.files.unwritable(path, reasons[code ?? ''] ?? code ?? strings.files.unknownReason);
}
