import {promisify} from 'node:util';
import {brotliDecompress, gunzip, inflate} from 'node:zlib';

/** Maximum size of an answer after decompression, in bytes. Larger ones are refused, so that none can fill memory. */
export const maxContent = 8 * 1024 * 1024;

/** The content encodings asked for, as the Accept-Encoding header has them. */
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

/** Undoes a Content-Encoding. Decoding ends at `maxContent`, however much the bytes would grow into. */
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
