import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {makeFolder} from '../../../hooks/runtime-folder.ts';
import {imageType} from '../../domain/messages/attachment.ts';
import type {FileAttachment, ImageAttachment} from '../../domain/messages/message.ts';
import type {Attachment} from '../storage/messages.ts';

/** Saves a message's attachments to its session's folder, readable only by the owner. */
export function saveAttachments(
	folder: string,
	sessionId: string,
	messageId: string,
	draft: {readonly images?: readonly ImageAttachment[]; readonly files?: readonly FileAttachment[]},
): Attachment[] {
	const {images = [], files = []} = draft;
	if (images.length + files.length === 0) return [];
	const target = join(folder, 'sessions', sessionId, messageId);
	makeFolder(target, 0o700);
	const save = (fileName: string, data: Buffer | string): {path: string; bytes: number} => {
		const path = join(target, fileName);
		writeFileSync(path, data, {flag: 'wx', mode: 0o600});
		return {path, bytes: Buffer.byteLength(data)};
	};
	return [
		...images.map(({data}, index): Attachment => {
			const bytes = Buffer.from(data, 'base64');
			const name = `image-${index + 1}.${extensionOf(bytes)}`;
			return {kind: 'image', name, ...save(name, bytes)};
		}),
		...files.map((file, index): Attachment => {
			const name = safeName(file.name ?? file.path ?? 'file');
			// Two files may share a name; the number makes their paths unique.
			const fileName = `${index + 1}-${name}`;
			if (file.data !== undefined)
				return {kind: 'file', name, ...save(fileName, Buffer.from(file.data, 'base64'))};
			if (file.parsedData !== undefined) return {kind: 'file', name, ...save(fileName, file.parsedData)};
			return {kind: 'file', name, path: file.path, bytes: 0};
		}),
	];
}

/** Reduces a path to a file name without control characters or leading dots. */
export function safeName(name: string): string {
	const last = basename(name.replaceAll('\\', '/'));
	return (
		last
			.replace(/[^\p{L}\p{N}._ -]/gu, '_')
			.replace(/^[. -]+/, '')
			.slice(0, 80) || 'file'
	);
}

function extensionOf(bytes: Uint8Array): string {
	const type = imageType(bytes);
	return type === 'jpeg' ? 'jpg' : (type ?? 'img');
}
