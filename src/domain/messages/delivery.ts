import type {Wait} from '../backoff.ts';
import type {DraftImage} from './attachment.ts';
import type {FileAttachment, Message, MessageDraft, MessageRole} from './message.ts';

/**
 * Delivery states of a message we send. `accepted`: the service returned its id. `seen`: it appeared in a
 * listing. `unconfirmed`: it may have been accepted.
 */
export type DeliveryState = 'queued' | 'sending' | 'accepted' | 'seen' | 'unconfirmed' | 'failed';

export type OutboxDraft = Omit<MessageDraft, 'images'> & {
	readonly images?: readonly DraftImage[];
	/** When to send it, Unix ms; at once if absent. */
	readonly notBefore?: number;
};

/** What couldn't be reached: the service, or the machine behind it that the session is on. */
export type Unreached = 'service' | 'computer';

/** An outgoing message, written to disk before it is sent. Times are Unix ms. */
export type OutboxItem = {
	/** Local id (UUID). */
	readonly id: string;
	/** The account it was written for. It is never posted with another account's key. */
	readonly accountId?: string;
	readonly sessionId: string;
	readonly computerId?: string;
	readonly text: string;
	/** Images with their names, which are not sent but kept for restoring the message to the composer. */
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	readonly state: DeliveryState;
	readonly createdAt: number;
	/** When the last attempt was sent, by the local clock. */
	readonly sentAt?: number;
	/** Service clock minus local clock at that time, ms, if known. */
	readonly sentSkew?: number;
	/** Earliest time of the next attempt: backoff, Retry-After, or what the user chose. */
	readonly notBefore?: number;
	readonly waitsSince?: number;
	/** It waits only because the last attempt couldn't reach this. */
	readonly unreached?: Unreached;
	readonly tries: number;
	/** The service's message id, once known. */
	readonly messageId?: string;
	/** Why it failed, is waiting or is unconfirmed, in one line. */
	readonly problem?: string;
	/** For `unconfirmed`: listings are searched until then; absent once the user must decide. */
	readonly lookUntil?: number;
	/** The session was busy when the service accepted the message. */
	readonly isBehind?: boolean;
	/** The user sends it now, though an earlier one waits for its turn at the service. */
	readonly isPushed?: true;
	/** Ids of messages with the same text that existed before it was sent. */
	readonly knownBefore?: readonly string[];
	/** The command's process that sends it; absent once reported, and for messages from the screen. */
	readonly sender?: string;
	/** Set if an agent sends it. */
	readonly author?: string;
};

/** The attempt that an event belongs to: it must not affect a later one by another process. */
type OfAttempt = {readonly sentAt?: number | undefined};

/** Events in a message's delivery. Times are Unix ms; `problem` is a user-facing line. */
export type DeliveryEvent =
	| {
			readonly type: 'sending';
			readonly at: number;
			readonly knownBefore: readonly string[];
			readonly skew?: number | undefined;
	  }
	/**
	 * The message was certainly not sent, or the service asked us to wait: retry no earlier than `notBefore`.
	 * `unreached`: or as soon as that is reached.
	 */
	| (OfAttempt & {
			readonly type: 'notSent' | 'rateLimited';
			readonly problem: string;
			readonly notBefore: number;
			readonly at?: number;
			readonly unreached?: Unreached;
	  })
	/** It can be reached again: what waits only for that is due. */
	| {readonly type: 'reached'; readonly what: Unreached}
	/** Not accepted, and won't be until something else changes (401, 402, 403). */
	| (OfAttempt & {readonly type: 'held'; readonly problem: string})
	/** Not accepted, and resending the same text would be refused again. */
	| (OfAttempt & {readonly type: 'refused'; readonly problem: string})
	/** It may have been accepted: search for it until `lookUntil`. */
	| (OfAttempt & {readonly type: 'lost'; readonly problem: string; readonly lookUntil: number})
	/** `isBehind`: the session was already busy. */
	| {readonly type: 'accepted'; readonly messageId: string; readonly isBehind?: boolean}
	| {readonly type: 'foundInListing'; readonly messageId: string}
	| {readonly type: 'seen'}
	| {readonly type: 'giveUpLooking'; readonly problem: string}
	/** The message matched to this item belongs to another item: search again until `lookUntil`. */
	| {readonly type: 'disowned'; readonly problem: string; readonly lookUntil: number}
	/** Search for it again: at least one read, and until `lookUntil`. */
	| {readonly type: 'lookAgain'; readonly lookUntil: number}
	/** It can be posted again without harm, no earlier than `notBefore`: the service takes it once. */
	| {readonly type: 'repeat'; readonly at: number; readonly notBefore: number}
	| {readonly type: 'resend'};

export function newOutboxItem(
	sessionId: string,
	{text, images = [], files = [], computerId, notBefore, author}: OutboxDraft,
	{accountId, createdAt}: {readonly accountId: string | undefined; readonly createdAt: number},
): OutboxItem {
	return {
		id: crypto.randomUUID(),
		accountId,
		sessionId,
		computerId,
		text,
		images,
		files,
		state: 'queued',
		createdAt,
		notBefore,
		author,
		tries: 0,
	};
}

/** Whether the service accepted the message, even if it hasn't appeared in a listing yet. */
export function isDelivered({state}: Pick<OutboxItem, 'state'>): boolean {
	return state === 'accepted' || state === 'seen';
}

/** The wait before a queued message is sent; undefined if it can be sent immediately. */
export function waitOf({notBefore, waitsSince, createdAt}: OutboxItem): Wait | undefined {
	return notBefore === undefined ? undefined : {since: waitsSince ?? createdAt, until: notBefore};
}

/** Applies an event to an outbox item; returns the same object if it is late or doesn't apply. */
export function deliver(item: OutboxItem, event: DeliveryEvent): OutboxItem {
	const {notBefore, waitsSince, unreached, problem, lookUntil, sentAt, sentSkew, knownBefore, ...rest} = item;
	const isCurrentAttempt = !('sentAt' in event) || event.sentAt === undefined || event.sentAt === sentAt;
	const isSending = item.state === 'sending' && isCurrentAttempt;
	const sent = {sentAt, sentSkew, knownBefore};
	switch (event.type) {
		case 'sending': {
			if (item.state !== 'queued') return item;
			const {at, knownBefore, skew} = event;
			return {
				...rest,
				state: 'sending',
				sentAt: at,
				sentSkew: skew,
				tries: item.tries + 1,
				knownBefore,
			};
		}
		case 'notSent':
		case 'rateLimited':
			if (!isSending) return item;
			return {
				...rest,
				state: 'queued',
				notBefore: event.notBefore,
				waitsSince: event.at,
				unreached: event.unreached,
				problem: event.problem,
			};
		case 'reached':
			return item.state === 'queued' && unreached === event.what ? rest : item;
		case 'held':
			return isSending ? {...rest, state: 'queued', problem: event.problem} : item;
		case 'refused':
			return isSending ? {...rest, state: 'failed', problem: event.problem} : item;
		case 'lost':
			if (!isSending) return item;
			return {...rest, ...sent, state: 'unconfirmed', problem: event.problem, lookUntil: event.lookUntil};
		case 'accepted':
			// Overrides any other state, even one set by another process: the service has accepted the message.
			if (item.state === 'accepted' || item.state === 'seen') return item;
			return {
				...rest,
				...sent,
				state: 'accepted',
				messageId: event.messageId,
				isBehind: event.isBehind,
			};
		case 'foundInListing':
			if (item.state !== 'unconfirmed') return item;
			return {...rest, ...sent, state: 'seen', messageId: event.messageId};
		case 'seen':
			return item.state === 'accepted' ? {...item, state: 'seen'} : item;
		case 'disowned': {
			if (item.state !== 'accepted' && item.state !== 'seen') return item;
			const {messageId: _, ...without} = rest;
			return {...without, ...sent, state: 'unconfirmed', problem: event.problem, lookUntil: event.lookUntil};
		}
		case 'giveUpLooking':
			if (item.state !== 'unconfirmed' || lookUntil === undefined) return item;
			return {...rest, ...sent, state: 'unconfirmed', problem: event.problem};
		case 'lookAgain':
			if (item.state !== 'unconfirmed') return item;
			return {...item, lookUntil: event.lookUntil};
		case 'repeat':
			if (item.state !== 'unconfirmed') return item;
			return {...rest, state: 'queued', notBefore: event.notBefore, waitsSince: event.at, problem};
		case 'resend': {
			const canResend = item.state === 'failed' || item.state === 'unconfirmed' || item.state === 'queued';
			const isPushed = item.state === 'queued' && ({isPushed: true} as const);
			return canResend ? {...rest, state: 'queued', tries: 0, ...isPushed} : item;
		}
	}
}

/** Not while it is being sent, nor once accepted: its row keeps others from claiming its message. */
export function canDiscard({state}: OutboxItem): boolean {
	return state === 'queued' || state === 'unconfirmed' || state === 'failed';
}

/** Whether the message may still be in transit; if so, later ones to the session wait. */
export function isUnderWay(item: OutboxItem): boolean {
	return item.state === 'sending' || (item.state === 'unconfirmed' && item.lookUntil !== undefined);
}

/** The unconfirmed message that a queued one of the session waits behind, if any. */
export function blockerOf(
	{state, sessionId}: OutboxItem,
	rows: readonly OutboxItem[],
): OutboxItem | undefined {
	const blocks = (row: OutboxItem) =>
		row.sessionId === sessionId && row.state === 'unconfirmed' && isUnderWay(row);
	return state === 'queued' ? rows.find(blocks) : undefined;
}

/**
 * Our accepted messages that wait for an earlier turn to end, in a session at work. Only those that certainly do: the
 * session was already busy when it accepted the message, the service doesn't say that its turn has begun, and every
 * later message is the user's or belongs to an earlier turn. `messages` holds all known ones in display order.
 */
export function waitingForTurn(
	outbox: readonly OutboxItem[],
	messages: readonly {readonly message: Message; readonly role?: MessageRole}[],
): readonly OutboxItem[] {
	return outbox.filter(({isBehind, state, messageId}) => {
		if (!isBehind || (state !== 'accepted' && state !== 'seen')) return false;
		const index = messages.findLastIndex(({message}) => message.id === messageId);
		if (index < 0) return true;
		const {isWaiting} = messages[index]?.message ?? {};
		if (isWaiting === false) return false;
		// The contract doesn't say what a `parentId` names; the first message may mean no more than the thread.
		const earlier = new Set(messages.slice(1, index).map(({message}) => message.id));
		const isOfEarlierTurn = (parentId: string) =>
			isWaiting ? parentId !== messageId : earlier.has(parentId);
		return messages
			.slice(index + 1)
			.every(
				({message: {parentId}, role}) =>
					role === 'user' || (parentId !== undefined && isOfEarlierTurn(parentId)),
			);
	});
}

/**
 * Finds our message among `candidates` when the response to the post was lost: a user message that was not
 * known before the send, is not claimed by another row, has the same text and attachment count, and was
 * created at most `skew` ms before the send. Returns the oldest match.
 */
export function findPosted(
	item: OutboxItem,
	candidates: readonly Message[],
	knownBefore: ReadonlySet<string>,
	claimed: ReadonlySet<string>,
	skew: number,
): Message | undefined {
	const {sentAt} = item;
	if (sentAt === undefined) return undefined;
	return candidates
		.filter(message => !knownBefore.has(message.id) && !claimed.has(message.id))
		.filter(message => (message.createdAt ?? Number.NEGATIVE_INFINITY) >= sentAt - skew)
		.filter(message => hasSameContent(item, message))
		.reduce<Message | undefined>(
			(first, next) => (first && (first.createdAt ?? 0) <= (next.createdAt ?? 0) ? first : next),
			undefined,
		);
}

/** Whether a message has our text and attachment count, and may be the user's. */
export function hasSameContent(item: OutboxItem, message: Message): boolean {
	if (message.role !== undefined && message.role !== 'user') return false;
	const content = message.content ?? [];
	const texts = content.flatMap(({text}) => (text === undefined ? [] : [text]));
	if (content.length - texts.length !== item.images.length + item.files.length) return false;
	return (
		normalizedText(texts.join('')) === normalizedText(item.text) ||
		normalizedText(texts.join('\n')) === normalizedText(item.text)
	);
}

/** Normalizes line endings and trims, since a service may do either. */
function normalizedText(text: string): string {
	return text.replace(/\r\n?/g, '\n').trim();
}
