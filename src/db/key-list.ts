import {freeBuffer} from './free-buffer.ts';

/**
 * Message keys in display order, newest first. Stored outside V8's heap in chunks, so an insertion or removal
 * moves at most a few thousand keys, regardless of the length.
 */
export type KeyList = {
	readonly length: number;
	/** Undefined past the end. */
	at(index: number): number | undefined;
	/** Adds keys at the end. */
	append(keys: readonly number[]): void;
	insert(index: number, key: number): void;
	remove(index: number): void;
	/** Removes all keys and frees their memory. */
	clear(): void;
	/**
	 * Counts the keys before a position: those for which `isBefore` is true, which must form a prefix. A key
	 * for which it returns undefined no longer exists and is removed.
	 */
	countBefore(isBefore: (key: number) => boolean | undefined): number;
};

const capacity = 4096;

type Chunk = {readonly keys: Uint32Array<ArrayBuffer>; length: number};

export function createKeyList(): KeyList {
	let chunks: Chunk[] = [];
	let length = 0;

	function locate(
		index: number,
	): {readonly number: number; readonly chunk: Chunk; readonly at: number} | undefined {
		let at = index;
		for (const [number, chunk] of chunks.entries()) {
			if (at < chunk.length) return {number, chunk, at};
			at -= chunk.length;
		}
		return undefined;
	}

	function append(keys: readonly number[]): void {
		for (const key of keys) {
			let last = chunks.at(-1);
			if (!last || last.length === capacity) {
				last = {keys: new Uint32Array(capacity), length: 0};
				chunks.push(last);
			}
			last.keys[last.length++] = key;
		}
		length += keys.length;
	}

	/** Splits a full chunk into two halves. */
	function split(number: number, {keys}: Chunk): void {
		const half = capacity / 2;
		const rest = {keys: new Uint32Array(capacity), length: half};
		rest.keys.set(keys.subarray(half));
		chunks.splice(number, 1, {keys, length: half}, rest);
	}

	function insert(index: number, key: number): void {
		const found = locate(index);
		if (!found) {
			append([key]);
			return;
		}
		const {number, chunk, at} = found;
		if (chunk.length === capacity) {
			split(number, chunk);
			insert(index, key);
			return;
		}
		chunk.keys.copyWithin(at + 1, at, chunk.length);
		chunk.keys[at] = key;
		chunk.length++;
		length++;
	}

	function remove(index: number): void {
		const found = locate(index);
		if (!found) return;
		const {number, chunk, at} = found;
		chunk.keys.copyWithin(at, at + 1, chunk.length);
		chunk.length--;
		length--;
		if (chunk.length > 0) return;
		chunks.splice(number, 1);
		freeBuffer(chunk.keys);
	}

	function at(index: number): number | undefined {
		const found = locate(index);
		return found?.chunk.keys[found.at];
	}

	return {
		get length() {
			return length;
		},
		at,
		append,
		insert,
		remove,
		clear() {
			for (const {keys} of chunks) freeBuffer(keys);
			chunks = [];
			length = 0;
		},
		countBefore(isBefore) {
			let low = 0;
			let high = length;
			while (low < high) {
				const middle = (low + high) >>> 1;
				const answer = isBefore(at(middle) ?? 0);
				if (answer === undefined) {
					remove(middle);
					high--;
				} else if (answer) low = middle + 1;
				else high = middle;
			}
			return low;
		},
	};
}
