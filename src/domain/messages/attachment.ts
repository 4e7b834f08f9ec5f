import type {FileAttachment, ImageAttachment} from './message.ts';

export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp';
export type AttachmentType = ImageType | 'pdf' | 'text';

/** An image attached to an unsent message. `name` is for display only: the contract has no image names. */
export type DraftImage = ImageAttachment & {readonly name?: string};

/** Maximum bytes of a message's attachments, base64 on top: the request must finish in time. */
export const attachmentLimit = 20_000_000;

/** Number of leading bytes needed to detect any type except text. */
const headerBytes = 16;

/** Detects a file's type from its content, ignoring its name; undefined if it can't be attached. */
export function attachmentType(bytes: Uint8Array): AttachmentType | undefined {
	return imageType(bytes) ?? (latin(bytes, 0, 5) === '%PDF-' ? 'pdf' : isText(bytes) ? 'text' : undefined);
}

export function imageType(bytes: Uint8Array): ImageType | undefined {
	if (latin(bytes, 0, 8) === '\x89PNG\r\n\x1a\n') return 'png';
	if (latin(bytes, 0, 3) === '\xff\xd8\xff') return 'jpeg';
	if (/^GIF8[79]a$/.test(latin(bytes, 0, 6))) return 'gif';
	if (latin(bytes, 0, 4) === 'RIFF' && latin(bytes, 8, 12) === 'WEBP') return 'webp';
	return undefined;
}

/** An attachment as listed: name, type and size in bytes. */
export type AttachmentInfo = {
	readonly kind: 'image' | 'file';
	/** Raw, from a file system. */
	readonly name: string;
	readonly type: AttachmentType;
	readonly bytes: number;
};

export function imageInfo({data, name}: DraftImage): AttachmentInfo {
	const type = imageType(start(data)) ?? 'png';
	return {kind: 'image', name: name ?? 'image', type, bytes: base64Bytes(data)};
}

export function fileInfo({data = '', parsedData, name, path}: FileAttachment): AttachmentInfo {
	const isPdf = latin(start(data), 0, 5) === '%PDF-';
	const bytes = data === '' ? (parsedData?.length ?? 0) : base64Bytes(data);
	return {kind: 'file', name: name ?? path ?? 'file', type: isPdf ? 'pdf' : 'text', bytes};
}

/** Maximum bytes of text to send as parsed text, in addition to the base64 data. */
const parsedLimit = 1_000_000;

/** The file as sent: with its parsed text if it is a text file. */
export function withParsedText(file: FileAttachment): FileAttachment {
	const {data = '', parsedData} = file;
	if (parsedData !== undefined || data === '' || base64Bytes(data) > parsedLimit) return file;
	const bytes = bytesOf(data);
	return attachmentType(bytes) === 'text' ? {...file, parsedData: new TextDecoder().decode(bytes)} : file;
}

/** Number of bytes that base64 data decodes to, computed without decoding it. */
export function base64Bytes(data: string): number {
	const padding = data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0;
	return Math.max(0, Math.floor((data.length * 3) / 4) - padding);
}

function start(data: string): Uint8Array {
	return bytesOf(data.slice(0, headerBytes * 4));
}

function bytesOf(data: string): Uint8Array {
	return Uint8Array.from(atob(data), character => character.charCodeAt(0));
}

function latin(bytes: Uint8Array, from: number, to: number): string {
	return String.fromCharCode(...bytes.subarray(from, to));
}

function isText(bytes: Uint8Array): boolean {
	if (bytes.includes(0)) return false;
	try {
		new TextDecoder('utf-8', {fatal: true}).decode(bytes);
		return true;
	} catch {
		return false;
	}
}
