import {z} from 'zod';
import {type AddedMessage, type ContentItem, type Message, messageRoles} from '../domain/messages/message.ts';
import type {Page} from '../domain/page.ts';
import type {Caller} from './call.ts';
import {readOne, readPage} from './envelope.ts';
import {pageQuery} from './page-query.ts';
import {anyText, nonEmptyText, oneOf, pathId, validate} from './request-schemas.ts';
import {id, lenientBoolean, lenientInstant, lenientObject, lenientText} from './response-schemas.ts';
import type {Service} from './service.ts';

const contentItem = lenientObject({type: lenientText, id: lenientText, text: lenientText});

/** Plain text in place of an item or the item list becomes an item with that text. */
const content = z
	.union([z.string().transform(text => [{text}]), z.array(z.unknown()).transform(readContent)])
	.optional()
	.catch(undefined);

function readContent(items: readonly unknown[]): ContentItem[] {
	return items.flatMap((raw): ContentItem[] => {
		if (typeof raw === 'string') return [{text: raw}];
		const read = contentItem.safeParse(raw);
		return read.success ? [read.data] : [];
	});
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
});

const added = lenientObject({messageId: id, status: lenientText});

const query = pageQuery.extend({
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
});

function pathOf(sessionId: string): string {
	return `/api/v0/sessions/${pathId(sessionId, 'sessionId')}/messages`;
}

/** Message endpoints: list the messages of a session, add one. */
export function createMessages(call: Caller): Service['messages'] {
	return {
		list: async (sessionId, values = {}, options) =>
			call(
				{
					resource: 'messages.list',
					host: 'base',
					method: 'GET',
					path: pathOf(sessionId),
					query: validate(query, values, 'query'),
					policy: 'read',
					decode: (answer): Page<Message> => readPage(answer, 'messages', message),
				},
				options,
			),
		/** Never retries: the outbox decides on the next try. */
		add: async (sessionId, values, options) =>
			call(
				{
					resource: 'messages.add',
					host: 'base',
					method: 'POST',
					path: pathOf(sessionId),
					body: validate(draft, values, 'message'),
					policy: 'once',
					decode: (answer): AddedMessage => readOne(answer, added, 'message id'),
				},
				options,
			),
	};
}
