import {promisify} from 'node:util';
import {brotliDecompress, gunzip, inflate} from 'node:zlib';

/** Maximum size of a decompressed response, bytes. Larger ones are rejected to bound memory. */
export const maxContent = 8 * 1024 * 1024;

export const acceptedEncodings = 'gzip, br';

const decoders = {
	gzip: promisify(gunzip),
	'x-gzip': promisify(gunzip),
	deflate: promisify(inflate),
	br: promisify(brotliDecompress),
} as const;

export type Decoded =
	| {readonly kind: 'content'; readonly content: Buffer}
	| {readonly kind: 'too-large'}
	| {readonly kind: 'undecodable'; readonly why: string};

/** Decodes a Content-Encoding. Stops at `maxContent`, so that a compression bomb can't fill memory. */
export async function decodeContent(body: Buffer, encoding: unknown): Promise<Decoded> {
	const name = typeof encoding === 'string' ? encoding.trim().toLowerCase() : '';
	if (name === '' || name === 'identity') return {kind: 'content', content: body};
	if (!isKnown(name)) return {kind: 'undecodable', why: 'a content encoding that was not asked for'};
	try {
		return {kind: 'content', content: await decoders[name](body, {maxOutputLength: maxContent})};
	} catch (error) {
		if (error instanceof RangeError) return {kind: 'too-large'};
		return {kind: 'undecodable', why: `broken ${name} content`};
	}
}

function isKnown(name: string): name is keyof typeof decoders {
	return Object.hasOwn(decoders, name);
}
