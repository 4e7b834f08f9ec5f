import {randomUUID} from 'node:crypto';
import {writeFileSync} from 'node:fs';
import {basename, join} from 'node:path';
import {z} from 'zod';
import {makeFolder} from '../../../hooks/runtime-folder.ts';
import {imageType} from '../../domain/messages/attachment.ts';
import {
	type AddedMessage,
	type ContentItem,
	type FileAttachment,
	type ImageAttachment,
	type Message,
	messageRoles,
} from '../../domain/messages/message.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseBody, parseQuery, readPage, text} from '../http/fields.ts';
import {get, notFound, post, Refusal, type Route} from '../http/router.ts';
import type {Attachment, StoredItem, StoredMessage} from '../storage/messages.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {findSession} from './sessions.ts';

const listQuery = z.strictObject({
	...pageQuery,
	computerId: z.string().optional(),
	role: z.enum(messageRoles).optional(),
});

/** Maximum text length of a message, UTF-16 units: a page with one must fit into a response. */
const maxTextLength = 1024 * 1024;

const base64 = z.base64({error: 'must be base64, without a data: prefix'});

const addBody = z.strictObject({
	text: z.string().max(maxTextLength),
	images: z.array(z.strictObject({data: base64})).optional(),
	files: z
		.array(
			z.strictObject({
				data: base64.optional(),
				parsedData: z.string().optional(),
				name: z.string().optional(),
				path: z.string().optional(),
			}),
		)
		.optional(),
	computerId: z.string().optional(),
	// Not in the contract: an offer of this service alone.
	author: text(1, 200).optional(),
});

const maxTitleLength = 80;

export function messageRoutes(context: LocalContext): Route[] {
	const {storage, turns, folder} = context;
	const path = '/api/v0/sessions/:sessionId/messages';
	return [
		get(path, ({params, query}) => {
			const session = findSession(context, params.sessionId);
			const {computerId, role, ...page} = parseQuery(listQuery, query);
			checkComputer(session, computerId);
			const read = (from: number | undefined, limit: number) =>
				storage.messages.newest(session.id, {from, role, limit});
			const {items, pagination} = readPage(session.id, page, read, ({seq}) => seq, weightOf);
			return {messages: items.map(toMessage), pagination};
		}),
		post(path, 200, ({params, body, idempotencyKey}): AddedMessage => {
			const session = findSession(context, params.sessionId);
			const draft = parseBody(addBody, body);
			checkComputer(session, draft.computerId);
			// The key is the message's id, so the table keeps them apart.
			const id = idempotencyKey === undefined ? randomUUID() : parseKey(idempotencyKey);
			const posted = storage.messages.get(id);
			if (posted && posted.sessionId !== session.id)
				throw new Refusal(409, 'this Idempotency-Key was used for another session');
			if (posted) return addedMessage(posted);
			const attachments = saveAttachments(folder, session.id, id, draft);
			storage.transaction(() => {
				storage.messages.add({
					id,
					sessionId: session.id,
					role: 'user',
					text: draft.text,
					attachments,
					author: draft.author,
					isWaiting: true,
				});
				if (session.title === undefined) storage.sessions.update(session.id, {title: titleOf(draft.text)});
			});
			turns.wake(session.id);
			return addedMessage({id, isWaiting: storage.messages.get(id)?.isWaiting ?? false});
		}),
	];
}

function addedMessage({id, isWaiting}: Pick<StoredMessage, 'id' | 'isWaiting'>): AddedMessage {
	return {messageId: id, status: isWaiting ? 'pending' : 'running'};
}

function parseKey(key: string): string {
	const parsed = z.uuid().safeParse(key);
	if (!parsed.success) throw new Refusal(400, 'the Idempotency-Key must be a UUID');
	return parsed.data.toLowerCase();
}

function checkComputer(session: StoredSession, computerId: string | undefined): void {
	if (computerId !== undefined && computerId !== session.computerId)
		throw notFound(`session ${session.id} on computer`, computerId);
}

/** Upper bound of a message's JSON size in bytes: a character takes at most six. */
function weightOf({text, content}: StoredMessage): number {
	return text.length * 6 + (content ? JSON.stringify(content).length * 3 : 0);
}

function titleOf(text: string): string {
	const line = text.trim().split('\n')[0] ?? '';
	const characters = [...line];
	return characters.length > maxTitleLength ? `${characters.slice(0, maxTitleLength - 1).join('')}…` : line;
}

function toMessage(row: StoredMessage): Message {
	const content: ContentItem[] = row.content?.map(toItem) ?? [
		{text: row.text, id: row.contentId},
		...row.attachments.map(({kind, name, bytes}, index) => ({
			type: kind === 'image' ? 'image' : 'document',
			id: `${row.contentId}-${index}`,
			name,
			bytes,
		})),
	];
	return {
		id: row.id,
		content,
		createdAt: row.createdAt,
		updatedAt: row.updatedAt,
		parentId: row.parentId,
		isUserVisible: true,
		isError: row.isError,
		isWaiting: row.role === 'user' ? row.isWaiting : undefined,
		isOutput: row.isOutput || undefined,
		author: row.author,
	};
}

/** The contract's text items have no type. */
function toItem(item: StoredItem): ContentItem {
	if (item.type !== 'text') return item;
	const {type: _, ...bare} = item;
	return bare;
}

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
		// An attempt to post the message that a full disk refused may have left a part of it.
		writeFileSync(path, data, {mode: 0o600});
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
