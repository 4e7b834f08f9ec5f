import {constants, promises} from 'node:fs';
import {homedir} from 'node:os';
import {basename, join, resolve} from 'node:path';
import {
	type AttachmentInfo,
	attachmentLimit,
	attachmentType,
	type DraftImage,
	imageType,
} from '../domain/messages/attachment.ts';
import type {FileAttachment} from '../domain/messages/message.ts';
import {isBelow, rootOf} from './repository-root.ts';

/** A file can't be attached. The message says why and what to do. Nothing was sent. */
export class AttachmentError extends Error {
	override readonly name = 'AttachmentError';
}

/** A file that was read to be attached. `path` is absolute. */
export type ReadAttachment = AttachmentInfo & {readonly path: string; readonly data: string};

/** Non-blocking, so that opening a pipe without a writer doesn't wait. */
const openFlags = constants.O_RDONLY | constants.O_NONBLOCK;
const headLength = 16;

/**
 * Reads a file of at most `room` bytes to attach, and detects its type by its content. A relative path starts from
 * `folder`. Never reads pipes or devices, which may be endless. Throws `AttachmentError`.
 */
export async function readAttachment(
	path: string,
	room = attachmentLimit,
	folder = process.cwd(),
): Promise<ReadAttachment> {
	const absolute = resolve(folder, path);
	const bytes = await readRegular(path, absolute, room);
	const type = attachmentType(bytes);
	if (type === undefined)
		throw new AttachmentError(
			`${path} can't be attached: attach an image (png, jpeg, gif, webp), a PDF or UTF-8 text`,
		);
	return {
		kind: type === 'pdf' || type === 'text' ? 'file' : 'image',
		name: basename(path),
		type,
		bytes: bytes.length,
		path: absolute,
		data: bytes.toString('base64'),
	};
}

/** Throws `AttachmentError` for a path below `folder` whose links lead out of the repository there. */
export async function checkPlace(path: string, folder: string): Promise<void> {
	const isWrittenAsBelow = resolve(path).startsWith(`${resolve(folder)}/`);
	const place = await promises.realpath(path).catch(() => undefined);
	if (!isWrittenAsBelow || place === undefined || (await isBelow(place, await rootOf(folder)))) return;
	throw new AttachmentError(`${path} leads to ${place}: nothing was attached; to attach it, write that path`);
}

/** Type and size of an image, by its first bytes; undefined for other or unreadable files. */
export async function peekImage(path: string): Promise<AttachmentInfo | undefined> {
	try {
		await using file = await promises.open(path, openFlags);
		const stat = await file.stat();
		if (!stat.isFile()) return undefined;
		const {buffer, bytesRead} = await file.read(Buffer.alloc(headLength), 0, headLength, 0);
		const type = imageType(buffer.subarray(0, bytesRead));
		return type && {kind: 'image', name: basename(path), type, bytes: stat.size};
	} catch {
		return undefined;
	}
}

/** Converts it to a draft image; its name is not sent. */
export function asImage({data, name}: ReadAttachment): DraftImage {
	return {data, name};
}

/** Converts it to a draft file. The service gets its local path only if the user wants that. */
export function asFile({data, name, path}: ReadAttachment, sendsPath = false): FileAttachment {
	return {name, path: sendsPath ? path : name, data};
}

/** Resolves a path as users type it (`~/notes.md`), relative to `folder`. */
export function fullPath(path: string, folder: string, home = homedir()): string {
	return path === '~' || path.startsWith('~/') ? join(home, path.slice(1)) : resolve(folder, path);
}

async function readRegular(path: string, absolute: string, room: number): Promise<Buffer> {
	try {
		await using file = await promises.open(absolute, openFlags);
		const stat = await file.stat();
		if (!stat.isFile()) throw new AttachmentError(`${path} is not a file: nothing was attached`);
		if (stat.size > room) throw tooLarge(path, stat.size, room);
		const bytes = await file.readFile();
		if (bytes.length > room) throw tooLarge(path, bytes.length, room);
		return bytes;
	} catch (cause) {
		if (cause instanceof AttachmentError) throw cause;
		const {code} = cause as NodeJS.ErrnoException;
		throw new AttachmentError(`${path} can't be read (${code}): nothing was attached`, {cause});
	}
}

function tooLarge(path: string, bytes: number, room: number): AttachmentError {
	const left = room < attachmentLimit ? megabytes(Math.max(0, room)) : undefined;
	return new AttachmentError(
		`${path} is ${megabytes(bytes)}: a message's attachments may total ${megabytes(attachmentLimit)}${left === undefined ? '' : `, and ${left} is left`}`,
	);
}

function megabytes(bytes: number): string {
	return `${(bytes / 1e6).toFixed(1)} MB`;
}
