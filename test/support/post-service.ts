import {
	ForbiddenError,
	LostResponseError,
	RateLimitedError,
	RejectedError,
	ServerError,
	UnauthorizedError,
	UnreachableError,
} from '../../src/api/errors.ts';
import type {MessageQuery} from '../../src/api/messages.ts';
import type {Service} from '../../src/api/service.ts';
import type {Clock} from '../../src/domain/clock.ts';
import type {AddedMessage, Message, MessageDraft} from '../../src/domain/messages/message.ts';
import type {Page} from '../../src/domain/page.ts';

/** What the service does with one post. `lost`: it accepts it and the answer never comes; `vanished`: neither. */
export type PostOutcome =
	| 'accepted'
	| 'slow'
	| 'lost'
	| 'vanished'
	| 'broken'
	| 'refused'
	| 'not-sent'
	| 'rate-limited'
	| 'unauthorized'
	| 'forbidden';

export type ModelService = {
	readonly messages: Service['messages'];
	/** Every message it has accepted, in order, by session. */
	accepted(sessionId: string): readonly Message[];
	/** Most posts of one session that were on the wire at one time. */
	readonly maxConcurrent: number;
	reads: number;
};

const hint = {hint: 'Try again.'};

/** A service in this process whose posts end as `outcomes` says, and whose listings lag, repeat and come either way round. */
export function modelService(
	clock: Clock,
	{
		next,
		lag = 0,
		isHeadFirst = false,
		isReadable = () => true,
		isIdempotent = false,
	}: {
		next: () => PostOutcome;
		lag?: number;
		isHeadFirst?: boolean;
		isReadable?: () => boolean;
		isIdempotent?: boolean;
	},
): ModelService {
	const bySession = new Map<string, Message[]>();
	const onTheWire = new Map<string, number>();
	let count = 0;
	let maxConcurrent = 0;
	const accepted = (sessionId: string) => bySession.get(sessionId) ?? [];
	const wait = (ms: number) => new Promise<void>(resolve => clock.after(ms, resolve));

	const added = new Map<string, AddedMessage>();

	function accept(sessionId: string, draft: MessageDraft, key?: string): AddedMessage {
		const before = key === undefined ? undefined : added.get(key);
		if (before) return before;
		const message: Message = {
			id: `m${++count}`,
			content: [{id: 't', text: draft.text}],
			createdAt: clock.now(),
		};
		bySession.set(sessionId, [...accepted(sessionId), message]);
		const answer = {messageId: message.id, status: 'idle'};
		if (key !== undefined) added.set(key, answer);
		return answer;
	}

	async function answer(sessionId: string, draft: MessageDraft, key?: string): Promise<AddedMessage> {
		const outcome = next();
		await wait(200);
		switch (outcome) {
			case 'accepted':
				return accept(sessionId, draft, key);
			case 'slow': {
				const slow = accept(sessionId, draft, key);
				await wait(100_000);
				return slow;
			}
			case 'lost':
				accept(sessionId, draft, key);
				throw new LostResponseError('No answer came.', hint);
			case 'vanished':
				throw new LostResponseError('No answer came.', hint);
			case 'broken':
				throw new ServerError('The service failed.', {...hint, status: 500});
			case 'refused':
				throw new RejectedError('The service said no.', {...hint, status: 400});
			case 'not-sent':
				throw new UnreachableError('The service can not be reached.', hint);
			case 'rate-limited':
				throw new RateLimitedError('Too many requests.', {...hint, status: 429, retryAfter: 5_000});
			case 'unauthorized':
				throw new UnauthorizedError('The key is not accepted.', {...hint, status: 401});
			case 'forbidden':
				throw new ForbiddenError('The key may not do this.', {...hint, status: 403});
		}
	}

	const model: ModelService = {
		accepted,
		reads: 0,
		get maxConcurrent() {
			return maxConcurrent;
		},
		messages: {
			isAddIdempotent: async () => isIdempotent,
			async add(sessionId, draft, {idempotencyKey} = {}) {
				const now = (onTheWire.get(sessionId) ?? 0) + 1;
				onTheWire.set(sessionId, now);
				maxConcurrent = Math.max(maxConcurrent, now);
				try {
					return await answer(sessionId, draft, isIdempotent ? idempotencyKey : undefined);
				} finally {
					onTheWire.set(sessionId, (onTheWire.get(sessionId) ?? 0) - 1);
				}
			},
			async list(sessionId, query: MessageQuery = {}): Promise<Page<Message>> {
				model.reads++;
				await wait(50);
				if (!isReadable()) throw new UnreachableError('The service can not be reached.', hint);
				const listed = accepted(sessionId).filter(({createdAt = 0}) => createdAt <= clock.now() - lag);
				const ordered = isHeadFirst ? listed : listed.toReversed();
				const from = query.cursor === undefined ? 0 : Number(query.cursor);
				const items = ordered.slice(from, from + 3);
				// The last item of a page comes again on the next: cursors by time do that.
				const end = from + Math.max(1, items.length - 1);
				const hasMore = from + items.length < ordered.length;
				return {items, hasMore, ...(hasMore && {nextCursor: String(end)}), skipped: 0};
			},
		},
	};
	return model;
}
