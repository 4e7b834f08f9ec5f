import {promisify} from 'node:util';
import {brotliDecompress, gunzip, inflate} from 'node:zlib';
import {parseJson} from '../../domain/parse-json.ts';
import {MalformedError} from '../errors.ts';
import {runSliced} from '../run-sliced.ts';

/** Maximum size of a decompressed response, bytes. Larger ones are rejected to bound memory. */
export const maxContent = 8 * 1024 * 1024;

export const acceptedEncodings = 'gzip, br';

const decoders = {
	gzip: promisify(gunzip),
	'x-gzip': promisify(gunzip),
	deflate: promisify(inflate),
	br: promisify(brotliDecompress),
} as const;

/** Decodes a Content-Encoding. Stops at `maxContent`, so that a compression bomb can't fill memory. Throws `MalformedError`. */
export async function decodeContent(body: Buffer, encoding: unknown): Promise<Buffer> {
	const name = typeof encoding === 'string' ? encoding.trim().toLowerCase() : '';
	if (name === '' || name === 'identity') return body;
	if (!isKnown(name)) throw undecodable('a content encoding that was not asked for');
	try {
		return await decoders[name](body, {maxOutputLength: maxContent});
	} catch (error) {
		throw error instanceof RangeError ? tooLarge() : undecodable(`broken ${name} content`);
	}
}

/** Parses decoded content as JSON, in slices. `now` is in ms. Throws `MalformedError`. */
export async function parseContent(content: Buffer, now: () => number): Promise<unknown> {
	const parsed = await runSliced(parseJson(content), now);
	if ('value' in parsed) return parsed.value;
	throw new MalformedError(
		parsed.isJson
			? `The service's response can't be read: ${parsed.why}.`
			: `The service responded with ${parsed.why} instead of the expected JSON.`,
		{reason: 'not-json', hint: parsed.isJson ? 'Try again later.' : 'Check the address.'},
	);
}

function undecodable(why: string): MalformedError {
	return new MalformedError(`The service responded with ${why}.`, {
		reason: 'encoding',
		hint: 'Check the address and any proxy in between.',
	});
}

/** The error for a response over the size limit, before or after decoding. */
export function tooLarge(): MalformedError {
	return new MalformedError("The service's response is over 8 MiB.", {
		reason: 'too-large',
		hint: 'Ask for fewer items at once.',
	});
}

function isKnown(name: string): name is keyof typeof decoders {
	return Object.hasOwn(decoders, name);
}
