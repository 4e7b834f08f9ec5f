/** A script and the `mappings` of its source map. */
type Mapped = {readonly source: string; readonly mappings: string};

const foreign = /[^\0-\x7f]/g;
/** How much longer `\u1234` is than the unit it stands for. */
const growth = 5;

/**
 * Writes a script in ASCII, and moves the columns of its source map along. V8 then keeps a byte per character, and nothing
 * is decoded at a start. esbuild itself leaves template literals as they are.
 */
export function escapeScript({source, mappings}: Mapped): Mapped {
	const lines = source.split('\n');
	return {
		source: source.replace(foreign, unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`),
		mappings: mappings
			.split(';')
			.map((segments, index) => moveColumns(segments, lines[index] ?? ''))
			.join(';'),
	};
}

/** Moves the generated columns of one line. Each segment begins with the distance from the one before it. */
function moveColumns(segments: string, line: string): string {
	const escapes = [...line.matchAll(foreign)].map(({index}) => index);
	let passed = 0;
	let column = 0;
	let moved = 0;
	return segments.replace(/(^|,)([g-z0-9+/]*[A-Za-f])/g, (_, comma: string, distance: string) => {
		column += decode(distance);
		while ((escapes[passed] ?? Number.POSITIVE_INFINITY) < column) passed++;
		const before = moved;
		moved = column + passed * growth;
		return comma + encode(moved - before);
	});
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Reads a distance: base 32, least digit first, with a bit to continue. Columns of a line only grow, so none is negative. */
function decode(text: string): number {
	const value = [...text].reduceRight((sum, digit) => sum * 32 + (digits.indexOf(digit) & 31), 0);
	return value >> 1;
}

function encode(distance: number): string {
	let text = '';
	let rest = distance << 1;
	do {
		text += digits[(rest & 31) | (rest > 31 ? 32 : 0)];
		rest >>= 5;
	} while (rest > 0);
	return text;
}
