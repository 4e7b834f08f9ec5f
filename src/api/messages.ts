import {z} from 'zod';
import {
	type AddedMessage,
	type ContentItem,
	type Message,
	type MessageDraft,
	type MessageRole,
	messageRoles,
} from '../domain/messages/message.ts';
import type {Page} from '../domain/page.ts';
import {authorOffer, idempotencyOffer} from '../domain/running-service.ts';
import {type Call, type CallOptions, type Client, hasOffer} from './client.ts';
import {
	anyText,
	nonEmptyText,
	oneOf,
	type PageQuery,
	pageQuery,
	pathId,
	validate,
} from './request-schemas.ts';
import {
	id,
	keepValid,
	lenientBoolean,
	lenientInstant,
	lenientObject,
	lenientText,
	readOne,
	readPage,
} from './response-schemas.ts';

const contentItem = lenientObject({type: lenientText, id: lenientText, text: lenientText});

/** Plain text in place of an item or the item list becomes an item with that text. */
const content = z
	.union([z.string().transform(text => [{text}]), z.array(z.unknown()).transform(readContent)])
	.optional()
	.catch(undefined);

function readContent(items: readonly unknown[]): ContentItem[] {
	return keepValid(items, raw => (typeof raw === 'string' ? {text: raw} : contentItem.safeParse(raw).data));
}

const message = lenientObject({
	id,
	content,
	createdAt: lenientInstant,
	updatedAt: lenientInstant,
	parentId: lenientText,
	isUserVisible: lenientBoolean,
	isError: lenientBoolean,
	provider1MessageId: lenientText,
	provider1EncryptedContent: lenientText,
	provider1ReasoningId: lenientText,
	provider1ReasoningSummary: lenientText,
	provider2ThoughtSignature: lenientText,
	chatCompletionReasoningContent: lenientText,
	role: lenientText,
	isWaiting: lenientBoolean,
	isOutput: lenientBoolean,
	author: lenientText,
});

const added = lenientObject({messageId: id, status: lenientText});

export type MessageQuery = PageQuery & {readonly computerId?: string; readonly role?: MessageRole};

const messageQuery = pageQuery.extend({
	computerId: nonEmptyText.optional(),
	role: oneOf(messageRoles).optional(),
});

const base64 = anyText.refine(text => {
	const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
	return text.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(text.slice(0, text.length - padding));
}, 'must be base64');

const draft = z.strictObject({
	text: anyText,
	images: z.array(z.strictObject({data: base64}), 'must be a list').optional(),
	files: z
		.array(
			z.strictObject({
				data: anyText.optional(),
				parsedData: anyText.optional(),
				name: anyText.optional(),
				path: anyText.optional(),
			}),
			'must be a list',
		)
		.optional(),
	computerId: nonEmptyText.optional(),
	author: nonEmptyText.optional(),
});

function pathOf(sessionId: string): string {
	return `/api/v0/sessions/${pathId(sessionId, 'sessionId')}/messages`;
}

export function createMessages(client: Client) {
	return {
		list: async (
			sessionId: string,
			query: MessageQuery = {},
			options?: CallOptions,
		): Promise<Page<Message>> =>
			client.call({
				resource: 'messages.list',
				method: 'GET',
				path: pathOf(sessionId),
				query: validate(messageQuery, query, 'query'),
				decode: response => readPage(response, 'messages', message, query.limit),
				...options,
			}),
		/** Never repeated: the outbox decides on the next attempt. */
		add: async (
			sessionId: string,
			{author, ...values}: MessageDraft,
			options?: CallOptions & Pick<Call<unknown>, 'idempotencyKey'>,
		): Promise<AddedMessage> => {
			const isTaken = author !== undefined && (await hasOffer(client, authorOffer)) !== false;
			return client.call({
				resource: 'messages.add',
				method: 'POST',
				path: pathOf(sessionId),
				body: validate(draft, {...values, author: isTaken ? author : undefined}, 'message'),
				decode: response => readOne(response, added, 'message id'),
				isOnce: true,
				...options,
			});
		},
		/** Whether the service adds a message once however often it is posted with the same key. */
		isAddIdempotent: async () => (await hasOffer(client, idempotencyOffer)) === true,
	};
}
