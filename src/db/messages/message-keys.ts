/** A set of message keys, one bit each. */
export class KeySet {
	readonly #bits: Uint32Array;

	constructor(newest: number) {
		this.#bits = new Uint32Array((newest >>> 5) + 1);
	}

	add(key: number): void {
		this.#bits[key >>> 5] = this.#wordOf(key) | (1 << (key & 31));
	}

	delete(key: number): boolean {
		const word = this.#wordOf(key);
		const bit = 1 << (key & 31);
		if ((word & bit) === 0) return false;
		this.#bits[key >>> 5] = word & ~bit;
		return true;
	}

	#wordOf(key: number): number {
		return this.#bits[key >>> 5] ?? 0;
	}
}

/**
 * Visits keys that sqlite joined with commas; returns their number. As arrays, they were a third of what a search left
 * in the old generation.
 */
export function visitKeys(joined: unknown, visit: (key: number) => void): number {
	if (typeof joined !== 'string') return 0;
	let count = 0;
	let key = 0;
	for (let index = 0; index <= joined.length; index++) {
		const digit = joined.charCodeAt(index) - 48;
		if (digit >= 0) key = key * 10 + digit;
		else {
			visit(key);
			count++;
			key = 0;
		}
	}
	return count;
}

const none = new Uint32Array();
/** What the last closed list left: memory outside the heap, too, brings the next full collection closer. */
let spare = none;

/**
 * An ordered list of message keys, outside V8's heap: as plain arrays, the matches of each typed letter would
 * soon cause a full collection, which holds up the next key by 25 to 60 ms.
 */
export class KeyList {
	#keys = spare;
	#length = 0;

	constructor() {
		spare = none;
	}

	get length(): number {
		return this.#length;
	}

	at(index: number): number | undefined {
		return index < this.#length ? this.#keys[index] : undefined;
	}

	append(key: number): void {
		this.#makeRoomForOne();
		this.#keys[this.#length++] = key;
	}

	insert(index: number, key: number): void {
		this.#makeRoomForOne();
		this.#keys.copyWithin(index + 1, index, this.#length);
		this.#keys[index] = key;
		this.#length++;
	}

	remove(index: number): void {
		this.#keys.copyWithin(index, index + 1, this.#length);
		this.#length--;
	}

	removeAll(isRemoved: (key: number) => boolean): void {
		let kept = 0;
		for (let index = 0; index < this.#length; index++) {
			const key = this.#keys[index] as number;
			if (!isRemoved(key)) this.#keys[kept++] = key;
		}
		this.#length = kept;
	}

	clear(): void {
		this.#length = 0;
	}

	/** Empties the list, and leaves its memory to the next one. */
	close(): void {
		if (this.#keys.length > spare.length) spare = this.#keys;
		this.#keys = none;
		this.#length = 0;
	}

	#makeRoomForOne(): void {
		if (this.#length < this.#keys.length) return;
		const keys = new Uint32Array(Math.max(1000, this.#length * 2));
		keys.set(this.#keys);
		this.#keys = keys;
	}
}
