import type {IncomingMessage} from 'node:http';
import {Refusal} from './refusal.ts';

/** Maximum body size in bytes: room for a message with a few images. */
export const maxBodySize = 32 * 1024 * 1024;

/** Parses a request's JSON body; undefined when there is none. Throws `Refusal` 400, 413 or 415. */
export async function readBody(request: IncomingMessage): Promise<unknown> {
	const chunks: Buffer[] = [];
	let size = 0;
	if (Number(request.headers['content-length'] ?? 0) > maxBodySize) throw tooLong();
	for await (const chunk of request) {
		size += chunk.length;
		if (size > maxBodySize) throw tooLong();
		chunks.push(chunk);
	}
	if (size === 0) return undefined;
	const type = request.headers['content-type'] ?? '';
	if (!/^application\/json\s*(;|$)/i.test(type)) throw new Refusal(415, 'bodies are application/json');
	try {
		return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(Buffer.concat(chunks)));
	} catch {
		throw new Refusal(400, 'the body is not JSON');
	}
}

function tooLong(): Refusal {
	return new Refusal(413, `a body has at most ${maxBodySize} bytes`);
}
