/** A 64-bit integer per key, split into two arrays. */
export type Ordinals = {readonly high: Uint32Array; readonly low: Uint32Array};

const ones = 0xff_ff_ff_ff;
const sign = 0x80_00_00_00;

/**
 * Maps keys to integers that sort in the same (or the reverse) order. The bits of a positive float sort like
 * its value except for the sign bit; those of a negative one sort in reverse. NaN sorts last either way.
 */
export function ordinalsOf(keys: Float64Array, isDescending: boolean): Ordinals {
	const count = keys.length;
	const [high, low] = [new Uint32Array(count), new Uint32Array(count)];
	const cell = new DataView(new ArrayBuffer(8));
	const turned = isDescending ? ones : 0;
	for (let index = 0; index < count; index++) {
		const key = keys[index] as number;
		if (Number.isNaN(key)) {
			high[index] = ones;
			low[index] = ones;
			continue;
		}
		// Normalize -0 to 0 by adding 0.
		cell.setFloat64(0, key + 0);
		const isNegative = cell.getInt32(0) < 0;
		high[index] = cell.getUint32(0) ^ (isNegative ? ones : sign) ^ turned;
		low[index] = cell.getUint32(4) ^ (isNegative ? ones : 0) ^ turned;
	}
	return {high, low};
}

/** Radix sort by 8-bit digits, least significant first, without comparisons. */
export function radixOrder({high, low}: Ordinals): Uint32Array {
	const count = high.length;
	let order = new Uint32Array(count);
	let next = new Uint32Array(count);
	for (let index = 0; index < count; index++) order[index] = index;
	for (const half of [low, high])
		for (let shift = 0; shift < 32; shift += 8) {
			// After counting, holds the start offset of each digit's indexes.
			const starts = new Uint32Array(257);
			for (let index = 0; index < count; index++) {
				const after = (((half[index] as number) >>> shift) & 0xff) + 1;
				starts[after] = (starts[after] as number) + 1;
			}
			// Skip digits that are the same for all keys: integers leave half of them zero.
			if (starts.includes(count)) continue;
			for (let digit = 1; digit < starts.length; digit++)
				starts[digit] = (starts[digit] as number) + (starts[digit - 1] as number);
			for (let place = 0; place < count; place++) {
				const index = order[place] as number;
				const digit = ((half[index] as number) >>> shift) & 0xff;
				const start = starts[digit] as number;
				next[start] = index;
				starts[digit] = start + 1;
			}
			[order, next] = [next, order];
		}
	return order;
}
