/**
 * An ordered list of message keys, outside V8's heap: as plain arrays, the matches of each typed letter would
 * soon cause a full collection, which holds up the next key by 25 to 60 ms.
 */
export class KeyList {
	#keys = new Uint32Array();
	#length = 0;

	get length(): number {
		return this.#length;
	}

	at(index: number): number | undefined {
		return index < this.#length ? this.#keys[index] : undefined;
	}

	append(keys: readonly number[]): void {
		this.#makeRoom(keys.length);
		this.#keys.set(keys, this.#length);
		this.#length += keys.length;
	}

	insert(index: number, key: number): void {
		this.#makeRoom(1);
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

	#makeRoom(count: number): void {
		const needed = this.#length + count;
		if (needed <= this.#keys.length) return;
		const keys = new Uint32Array(Math.max(needed, this.#length * 2));
		keys.set(this.#keys.subarray(0, this.#length));
		this.#keys = keys;
	}
}
