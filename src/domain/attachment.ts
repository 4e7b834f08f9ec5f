import type {FileAttachment, ImageAttachment} from './message.ts';

/** Kinds of images that a message takes. */
export type ImageType = 'png' | 'jpeg' | 'gif' | 'webp';
export type AttachmentType = ImageType | 'pdf' | 'text';

/** Something attached to an unsent message. The name of an image is for the reader's eyes: the contract has none. */
export type DraftImage = ImageAttachment & {readonly name?: string};

/**
 * Bytes that all attachments of one message have together at most. The contract names no limit; base64 makes a third
 * more of them, and a post must fit into its deadline.
 */
export const attachmentLimit = 20_000_000;

/** The first bytes that tell the type of anything but text. */
const headerBytes = 16;

/** What a file is by its content, whatever its name says; undefined when it is nothing that can be attached. */
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

/** One attachment as it is listed: what it is called, what it is and its bytes. */
export type AttachmentInfo = {
	readonly kind: 'image' | 'file';
	/** Raw: it came from a file system. */
	readonly name: string;
	readonly type: AttachmentType;
	readonly bytes: number;
};

/** What is known of an image or a file that is attached already. */
export function imageInfo({data, name}: DraftImage): AttachmentInfo {
	const type = imageType(start(data)) ?? 'png';
	return {kind: 'image', name: name ?? 'image', type, bytes: base64Bytes(data)};
}

export function fileInfo({data = '', parsedData, name, path}: FileAttachment): AttachmentInfo {
	const isPdf = latin(start(data), 0, 5) === '%PDF-';
	const bytes = data === '' ? (parsedData?.length ?? 0) : base64Bytes(data);
	return {kind: 'file', name: name ?? path ?? 'file', type: isPdf ? 'pdf' : 'text', bytes};
}

/** Text of at most so many bytes goes along as text: it is sent in base64 as well. */
const parsedLimit = 1_000_000;

/** A file as it is sent: with its text, where it is one. */
export function withParsedText(file: FileAttachment): FileAttachment {
	const {data = '', parsedData} = file;
	if (parsedData !== undefined || data === '' || base64Bytes(data) > parsedLimit) return file;
	const bytes = bytesOf(data);
	return attachmentType(bytes) === 'text' ? {...file, parsedData: new TextDecoder().decode(bytes)} : file;
}

/** Bytes that base64 text stands for, without decoding it. */
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
