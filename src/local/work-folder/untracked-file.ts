import {closeSync, constants, fstatSync, openSync, readlinkSync, readSync} from 'node:fs';
import {join} from 'node:path';
import type {ChangedFile} from '../../domain/sessions/work-folder.ts';

/** How much of a new file is read, bytes. */
const maxUntrackedLength = 256 * 1024;
/** Git treats a file as binary if it has a NUL within this many bytes of its start. */
const binarySearchLength = 8000;

/** A file that git doesn't know, as if it were added. Its name is relative to `root`. */
export function untrackedFile(
	root: string,
	path: string,
): {readonly file: ChangedFile; readonly state: string} {
	const file = {path, kind: 'untracked'} as const;
	if (path.endsWith('/')) return {file: {...file, note: 'another repository'}, state: ''};
	let descriptor: number;
	try {
		// A link leads anywhere, and a pipe would block.
		descriptor = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
	} catch {
		return linkOf(root, path);
	}
	try {
		const stats = fstatSync(descriptor);
		const state = `${stats.size} ${stats.mtimeMs}`;
		if (!stats.isFile()) return {file: {...file, note: 'not a regular file'}, state};
		const bytes = Buffer.alloc(Math.min(stats.size, maxUntrackedLength));
		const length = readSync(descriptor, bytes, 0, bytes.length, 0);
		const content = bytes.subarray(0, length);
		if (content.subarray(0, binarySearchLength).includes(0)) return {file: {...file, isBinary: true}, state};
		const isCut = stats.size > length;
		return {
			file: {
				...file,
				...asAdded(content.toString('utf8'), isCut),
				isCut: isCut || undefined,
				hasMoreLines: isCut || undefined,
			},
			state,
		};
	} catch {
		return {file: {...file, note: 'not readable'}, state: ''};
	} finally {
		closeSync(descriptor);
	}
}

/** A link as git stores it: the path that it has. */
function linkOf(root: string, path: string): ReturnType<typeof untrackedFile> {
	const file = {path, kind: 'untracked'} as const;
	try {
		return {file: {...file, ...asAdded(readlinkSync(join(root, path)), false), note: 'a link'}, state: ''};
	} catch {
		return {file: {...file, note: 'not readable'}, state: ''};
	}
}

function asAdded(text: string, isCut: boolean): Pick<ChangedFile, 'added' | 'removed' | 'patch'> {
	if (text === '') return {added: 0, removed: 0, patch: ''};
	const isEnded = text.endsWith('\n');
	const lines = (isEnded ? text.slice(0, -1) : text).split('\n');
	// The last line of a cut file may be half of one.
	const whole = isCut && !isEnded && lines.length > 1 ? lines.slice(0, -1) : lines;
	const head = `@@ -0,0 +1${whole.length === 1 ? '' : `,${whole.length}`} @@`;
	const end = isEnded || isCut ? [] : ['\\ No newline at end of file'];
	return {
		added: whole.length,
		removed: 0,
		patch: [head, ...whole.map(line => `+${line}`), ...end].join('\n'),
	};
}
