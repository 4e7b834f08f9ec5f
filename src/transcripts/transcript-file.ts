import {closeSync, constants, fstatSync, lstatSync, openSync, readSync, type Stats} from 'node:fs';
import {homedir} from 'node:os';
import {isAbsolute, join} from 'node:path';
import {parseObject} from '../../hooks/json.ts';

/** A path can't be read as a transcript. */
export class TranscriptError extends Error {
	override readonly name = 'TranscriptError';
	readonly hint: string;

	constructor(what: string, hint: string, options?: ErrorOptions) {
		super(what, options);
		this.hint = hint;
	}
}

/** There is no file at the path yet, or no more. */
export class NoTranscriptError extends TranscriptError {}

/** One line of a transcript, at the bytes from `offset` up to `end`; without its text if it is too long. */
export type TranscriptLine = {readonly offset: number; readonly end: number; readonly text?: string};

/** Consecutive lines, and the bytes that they cover. */
export type Lines = {readonly lines: readonly TranscriptLine[]; readonly start: number; readonly end: number};

/** Maximum bytes of a file and of a line to parse, and bytes per read. */
const maxFile = 1024 ** 3;
const maxLine = 8 * 1024 * 1024;
const block = 128 * 1024;
const newline = 0x0a;
/** Bytes before the known end to compare: if they have changed, the file was rewritten. */
const tailLength = 64;

/**
 * A transcript that another program writes: lines of JSON, read in blocks from any line on. Its path comes from hook
 * events and isn't trusted: it must be a regular file of this user, no link and no pipe.
 */
export class TranscriptFile {
	readonly path: string;
	readonly #descriptor: number;
	readonly #stat: Stats;
	/** Where the lines read so far end, and the bytes before that. */
	#end = 0;
	#tail: Buffer = Buffer.alloc(0);

	/** Throws `TranscriptError`. */
	constructor(path: string) {
		if (!isAbsolute(path) || path.includes('\0')) throw notOurs(path);
		this.path = path;
		this.#descriptor = openForReading(path);
		try {
			this.#stat = fstatSync(this.#descriptor);
			if (!this.#stat.isFile() || this.#stat.uid !== process.getuid?.()) throw notOurs(path);
			if (this.#stat.size > maxFile) throw tooLarge(path);
			this.#setEnd(this.#lastLineEnd());
		} catch (error) {
			this.close();
			throw error;
		}
	}

	/** Where the last complete line ends, as last looked up. */
	get end(): number {
		return this.#end;
	}

	/** Finds added lines. Returns false if the file was replaced, shortened or rewritten. Throws `TranscriptError`. */
	update(): boolean {
		const stat = statOf(this.path);
		if (stat.ino !== this.#stat.ino || stat.dev !== this.#stat.dev || stat.size < this.#end) return false;
		if (!this.#read(this.#end - this.#tail.length, this.#tail.length).equals(this.#tail)) return false;
		if (stat.size > maxFile) throw tooLarge(this.path);
		if (stat.size > this.#end) this.#setEnd(this.#lastLineEnd());
		return true;
	}

	/** Reads the lines of about `length` bytes before `end`, a line's start; at least one, unless `end` is 0. */
	before(end: number, length = block): Lines {
		let start = end;
		let bytes: Buffer | undefined;
		for (let size = length; start > 0; size *= 2) {
			const from = Math.max(0, start - size);
			const isFirst = bytes === undefined;
			bytes = this.#joined(from, start - from, bytes, 'before');
			const added = start - from;
			start = from;
			if (start === 0) return {lines: linesOf(bytes, 0), start, end};
			// The last byte is a line break. Bytes before a long line are all newly read.
			const first = isFirst ? bytes.indexOf(newline) + 1 : bytes.lastIndexOf(newline, added - 1) + 1;
			if (first > 0 && first < bytes.length) {
				const lines = linesOf(bytes.subarray(first), start + first);
				return {lines, start: start + first, end};
			}
			if (bytes.length > maxLine) {
				start = this.#lineStart(start);
				return {lines: [{offset: start, end}], start, end};
			}
		}
		return {lines: [], start, end};
	}

	/** Reads the lines of about a block from `start`, a line's start; at least one, unless `start` is the end. */
	from(start: number): Lines {
		let bytes: Buffer | undefined;
		for (let [size, at] = [block, start]; at < this.#end; size *= 2) {
			bytes = this.#joined(at, Math.min(size, this.#end - at), bytes, 'after');
			// The file was shortened meanwhile.
			if (start + bytes.length === at) break;
			at = start + bytes.length;
			const length = at >= this.#end ? bytes.length : bytes.lastIndexOf(newline) + 1;
			if (length > 0) {
				return {lines: linesOf(bytes.subarray(0, length), start), start, end: start + length};
			}
			if (bytes.length > maxLine) {
				const end = this.#lineEnd(at);
				return {lines: [{offset: start, end}], start, end};
			}
		}
		return {lines: [], start, end: start};
	}

	isLineStart(offset: number): boolean {
		if (!Number.isSafeInteger(offset) || offset < 0 || offset >= this.#end) return false;
		return offset === 0 || this.#read(offset - 1, 1)[0] === newline;
	}

	close(): void {
		closeSync(this.#descriptor);
	}

	#setEnd(end: number): void {
		this.#end = end;
		const length = Math.min(tailLength, end);
		this.#tail = this.#read(end - length, length);
	}

	/** Returns the end of the last line. Text after the last line break counts if it is a whole object. */
	#lastLineEnd(): number {
		const {size} = fstatSync(this.#descriptor);
		const start = this.#lineStart(size, this.#end);
		const rest = size - start;
		if (rest === 0 || rest > maxLine || !isWhole(this.#read(start, rest).toString())) return start;
		return size;
	}

	/** Returns the start of the line that ends at `offset` or goes beyond it; at least `min`. */
	#lineStart(offset: number, min = 0): number {
		for (let end = offset; end > min; ) {
			const from = Math.max(min, end - block);
			const found = this.#read(from, end - from).lastIndexOf(newline);
			if (found >= 0) return from + found + 1;
			end = from;
		}
		return min;
	}

	#lineEnd(offset: number): number {
		for (let from = offset; from < this.#end; from += block) {
			const found = this.#read(from, Math.min(block, this.#end - from)).indexOf(newline);
			if (found >= 0) return from + found + 1;
		}
		return this.#end;
	}

	/** Reads bytes and joins them with those before or after them. */
	#joined(offset: number, length: number, bytes: Buffer | undefined, side: 'before' | 'after'): Buffer {
		const more = this.#read(offset, length);
		if (!bytes) return more;
		return Buffer.concat(side === 'before' ? [more, bytes] : [bytes, more]);
	}

	#read(offset: number, length: number): Buffer {
		const bytes = Buffer.allocUnsafe(length);
		try {
			return bytes.subarray(0, readSync(this.#descriptor, bytes, 0, length, offset));
		} catch (cause) {
			throw unreadable(cause);
		}
	}
}

function openForReading(path: string): number {
	statOf(path);
	try {
		// Opening a named pipe would wait for its writer.
		return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
	} catch (cause) {
		throw unreadable(cause);
	}
}

function statOf(path: string): Stats {
	let stat: Stats | undefined;
	try {
		stat = lstatSync(path, {throwIfNoEntry: false});
	} catch (cause) {
		throw unreadable(cause);
	}
	if (!stat)
		throw new NoTranscriptError(
			'There is no transcript yet',
			`It is read once the client has written ${path}.`,
		);
	if (!stat.isFile()) throw notOurs(path);
	return stat;
}

function notOurs(path: string): TranscriptError {
	return new TranscriptError(
		"The transcript isn't read",
		`It must be a file of your own and not a link: ${path}`,
	);
}

function tooLarge(path: string): TranscriptError {
	return new TranscriptError("The transcript isn't read: it is larger than 1 GB", path);
}

function unreadable(cause: unknown): TranscriptError {
	return new TranscriptError("The transcript can't be read", (cause as Error).message, {cause});
}

/** Whether the text is a complete object, and not a line that is still being written. */
function isWhole(text: string): boolean {
	return text.trimEnd().endsWith('}') && parseObject(text) !== undefined;
}

/** Splits bytes that start and end with lines. */
function linesOf(bytes: Buffer, offset: number): TranscriptLine[] {
	const lines: TranscriptLine[] = [];
	for (let from = 0; from < bytes.length; ) {
		const found = bytes.indexOf(newline, from);
		const to = found < 0 ? bytes.length : found + 1;
		const text = to - from > maxLine ? undefined : bytes.toString('utf8', from, found < 0 ? to : found);
		if (text === undefined || text.trim() !== '') lines.push({offset: offset + from, end: offset + to, text});
		from = to;
	}
	return lines;
}

/** The folder of Claude Code's files for this user. */
export function claudeFolder(): string {
	const named = process.env.CLAUDE_CONFIG_DIR;
	return named && isAbsolute(named) ? named : join(homedir(), '.claude');
}

/** Path of a session's transcript in the client's `folder`, if the session was started in `cwd`. */
export function claudeTranscript(
	folder: string,
	{cwd, sessionId}: {readonly cwd: string; readonly sessionId: string},
): string {
	return join(folder, 'projects', cwd.replace(/[^a-zA-Z0-9]/g, '-'), `${sessionId}.jsonl`);
}
