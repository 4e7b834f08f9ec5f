const deepest = 500;
const maxValues = 500_000;

export type Parsed = {readonly value: unknown} | {readonly why: string};

/**
 * Parses the JSON of an answer. Refused: nesting that would overflow the stack of whoever walks it, and more values
 * than an 8 MiB answer honestly holds (parsed, `[[],[],...` takes ten times its bytes). Keys called `__proto__` are
 * dropped, so that no copy of an object can get a foreign prototype. Yields where whoever goes through it may pause.
 */
export function* parseJson(bytes: Uint8Array): Generator<void, Parsed> {
	const excess = yield* findExcess(bytes);
	if (excess) return {why: excess};
	yield;
	// Bytes that aren't UTF-8 become U+FFFD: one broken character doesn't cost a page.
	// `TextDecoder` would do the same, but the first use of it takes longer than a page.
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
		.toString()
		.replace(/^\ufeff/, '');
	try {
		return {value: mayHoldProto(text) ? JSON.parse(text, withoutProto) : JSON.parse(text)};
	} catch {
		// The parser's own words quote the answer, which may hold anything.
		return {
			why: text.trimStart().startsWith('<') ? 'a web page' : text.trim() === '' ? 'nothing' : 'no JSON',
		};
	}
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Bytes looked at between two pauses: a fraction of a millisecond. */
const stretch = 128 * 1024;

function* findExcess(bytes: Uint8Array): Generator<void, string | undefined> {
	let depth = 0;
	let values = 0;
	let isInString = false;
	for (let i = 0, pauseAt = stretch; i < bytes.length; i++) {
		if (i >= pauseAt) {
			pauseAt += stretch;
			yield;
		}
		const byte = bytes[i];
		if (isInString) {
			if (byte === backslash) i++;
			else if (byte === quote) isInString = false;
		} else if (byte === quote) {
			isInString = true;
		} else if (byte === comma) {
			values++;
		} else if (byte === 0x5b || byte === 0x7b) {
			values++;
			if (++depth > deepest) return 'JSON nested too deep';
		} else if (byte === 0x5d || byte === 0x7d) {
			depth--;
		}
		if (values > maxValues) return 'JSON with too many values';
	}
	return undefined;
}

/** The key may be written with escapes as well. */
function mayHoldProto(text: string): boolean {
	return text.includes('__proto__') || /\\u00[567][0-9a-f]/i.test(text);
}

function withoutProto(key: string, value: unknown): unknown {
	return key === '__proto__' ? undefined : value;
}
