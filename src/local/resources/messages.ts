import {randomUUID} from 'node:crypto';
import {z} from 'zod';
import {
	type AddedMessage,
	type ContentItem,
	type Message,
	messageRoles,
} from '../../domain/messages/message.ts';
import type {LocalContext} from '../context.ts';
import {pageQuery, parseBody, parseQuery, text} from '../http/fields.ts';
import {readPage} from '../http/pagination.ts';
import {notFound, Refusal} from '../http/refusal.ts';
import {get, post, type Route} from '../http/router.ts';
import type {StoredItem, StoredMessage} from '../storage/messages.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {saveAttachments} from '../turns/attachments.ts';
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

/** Maximum title length in characters. */
const maxTitleLength = 80;

export function messageRoutes(context: LocalContext): Route[] {
	const {storage, variant, turns, folder} = context;
	const path = '/api/v0/sessions/:sessionId/messages';
	return [
		get(path, ({params, query}) => {
			const session = findSession(context, params.sessionId);
			const {computerId, role, ...page} = parseQuery(listQuery, query);
			checkComputer(session, computerId);
			const {pageOrder: order, listingLag} = variant;
			// Without a lag, don't use the clock: one that was set back would hide messages.
			const until = listingLag > 0 ? Date.now() - listingLag : Number.MAX_SAFE_INTEGER;
			const read = (from: number | undefined, limit: number) =>
				storage.messages.walk(session.id, {order, from, role, limit, until});
			const list = `${session.id}/${order}`;
			const {items, pagination} = readPage(list, page, read, ({seq}) => seq, weightOf);
			return {messages: items.map(row => toMessage(row, context)), pagination};
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

function toMessage(row: StoredMessage, {variant}: LocalContext): Message {
	const isTyped = variant.content === 'typed';
	const content: ContentItem[] = row.content?.map(item => toItem(item, isTyped)) ?? [
		toItem({type: 'text', text: row.text, id: row.contentId}, isTyped),
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
		...(row.role === 'user' && {isWaiting: row.isWaiting}),
		...(row.isOutput && {isOutput: true}),
		author: row.author,
		...(variant.hasRoleField ? {role: row.role} : {}),
	};
}

/** The contract's text items have no type. */
function toItem(item: StoredItem, isTyped: boolean): ContentItem {
	if (isTyped || item.type !== 'text') return item;
	const {type: _, ...bare} = item;
	return bare;
}
