import {readFileSync, statSync} from 'node:fs';
import {basename, resolve} from 'node:path';
import type {FileAttachment, ImageAttachment} from '../domain/message.ts';

/** A file to attach can't be read or is too long. Nothing was sent. */
class AttachmentError extends Error {
	override readonly name = 'AttachmentError';
}

/** Bytes of one attachment; base64 makes a third more of them, and a post must fit into its deadline. */
const longest = 20 * 1024 * 1024;

export function readImage(path: string): ImageAttachment {
	return {data: readAttachment(path).toString('base64')};
}

export function readFile(path: string): FileAttachment {
	return {name: basename(path), path: resolve(path), data: readAttachment(path).toString('base64')};
}

function readAttachment(path: string): Buffer {
	try {
		const {size} = statSync(path);
		if (size > longest) throw new AttachmentError(`${path} is over 20 MiB: attach a smaller file`);
		return readFileSync(path);
	} catch (cause) {
		if (cause instanceof AttachmentError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		throw new AttachmentError(`${path} can't be read (${code}): nothing was sent`, {cause});
	}
}
