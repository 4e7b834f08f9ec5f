const maxDepth = 500;
const maxValues = 500_000;

/** Why a response isn't read. `isJson`: it is JSON, though broken or excessive, so it comes from a service. */
type Parsed = {readonly value: unknown} | {readonly why: string; readonly isJson: boolean};

/**
 * Parses a JSON response. Rejects nesting that could overflow the stack of later code, and more values than a
 * genuine 8 MiB response holds (parsed, `[[],[],...` takes ten times its bytes). Drops keys named
 * `__proto__`, so that no copy of an object gets a foreign prototype. Yields where the caller may pause.
 */
export function* parseJson(bytes: Uint8Array): Generator<void, Parsed> {
	const excess = yield* findExcess(bytes);
	if (excess) return {why: excess, isJson: true};
	yield;
	// Invalid UTF-8 becomes U+FFFD: one broken character must not fail a page. `TextDecoder` would do the
	// same, but its first use takes longer than decoding a page.
	const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
		.toString()
		.replace(/^\ufeff/, '');
	try {
		return {value: mayContainProto(text) ? JSON.parse(text, withoutProto) : JSON.parse(text)};
	} catch {
		// The parser's message quotes the response, which may contain anything.
		const start = text.trimStart().charAt(0);
		if (start === '{' || start === '[') return {why: 'broken JSON', isJson: true};
		return {why: start === '<' ? 'a web page' : start === '' ? 'an empty body' : 'text', isJson: false};
	}
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;

/** Bytes scanned between two yields: a fraction of a millisecond. */
const bytesPerStep = 128 * 1024;

function* findExcess(bytes: Uint8Array): Generator<void, string | undefined> {
	let depth = 0;
	let values = 0;
	let isInString = false;
	for (let i = 0, pauseAt = bytesPerStep; i < bytes.length; i++) {
		if (i >= pauseAt) {
			pauseAt += bytesPerStep;
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
			if (++depth > maxDepth) return 'JSON nested too deep';
		} else if (byte === 0x5d || byte === 0x7d) {
			depth--;
		}
		if (values > maxValues) return 'JSON with too many values';
	}
	return undefined;
}

/** The key may also be written with escapes. */
function mayContainProto(text: string): boolean {
	return text.includes('__proto__') || /\\u00[567][0-9a-f]/i.test(text);
}

function withoutProto(key: string, value: unknown): unknown {
	return key === '__proto__' ? undefined : value;
}

/** More levels than any tool's input has, and fewer than recursive code and clients of the embedded service take. */
export const maxJsonDepth = 200;

/** Whether a parsed JSON value has more levels than `maxJsonDepth`. */
export function isTooDeep(value: unknown): boolean {
	let level = [value];
	for (let depth = 0; level.length > 0; depth++) {
		if (depth > maxJsonDepth) return true;
		level = level.flatMap(item => (typeof item === 'object' && item !== null ? Object.values(item) : []));
	}
	return false;
}
