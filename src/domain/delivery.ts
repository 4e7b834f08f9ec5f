import type {DraftImage} from './attachment.ts';
import type {FileAttachment, Message, MessageDraft} from './message.ts';
import type {Wait} from './wait.ts';

/**
 * The life of a message of ours.
 * `accepted`: the service gave its id. `seen`: it was found in a listing. `unconfirmed`: it may have been accepted.
 */
export type DeliveryState = 'queued' | 'sending' | 'accepted' | 'seen' | 'unconfirmed' | 'failed';

/** A message of ours as it is put into the outbox. */
export type OutboxDraft = Omit<MessageDraft, 'images'> & {readonly images?: readonly DraftImage[]};

/** A message of ours, on disk before it is on the wire. Times are Unix ms. */
export type OutboxItem = {
	/** Our own id (UUID). */
	readonly id: string;
	/** The account it was written for: it is posted with no other account's key. */
	readonly accountId?: string;
	readonly sessionId: string;
	readonly computerId?: string;
	readonly text: string;
	/** With their names, for when it is taken back; those are not sent. */
	readonly images: readonly DraftImage[];
	readonly files: readonly FileAttachment[];
	readonly state: DeliveryState;
	readonly createdAt: number;
	/** When the last try was put on the wire, by our clock. */
	readonly sentAt?: number;
	/** The service's clock minus ours at that time, ms, where it was known. */
	readonly sentSkew?: number;
	/** Not before this time (back-off, Retry-After). */
	readonly notBefore?: number;
	/** When that wait began. */
	readonly waitsSince?: number;
	readonly tries: number;
	/** The service's id, once it is known. */
	readonly messageId?: string;
	/** Why it failed, waits or is unconfirmed, in one line. */
	readonly problem?: string;
	/** Unconfirmed: it is looked for until this time. Absent when that is over and the user has to choose. */
	readonly lookUntil?: number;
	/** The session was at work when the service took it. */
	readonly isBehind?: boolean;
	/** Messages with the same text that were there before it was sent. */
	readonly knownBefore?: readonly string[];
	/** The process of the command that sends it; absent on the screen's, and once a command has reported its delivery. */
	readonly sender?: string;
};

/** How one try ended: it says nothing of a later one, which another process may have begun meanwhile. */
type OfOneTry = {readonly sentAt?: number | undefined};

/** What can happen to a message of ours. Times are Unix ms; `problem` is one line for the reader. */
export type DeliveryEvent =
	/** It goes on the wire now. */
	| {
			readonly type: 'sending';
			readonly at: number;
			readonly knownBefore: readonly string[];
			readonly skew?: number | undefined;
	  }
	/** It surely never left, or the service asked to wait: once more, not before a time. */
	| (OfOneTry & {
			readonly type: 'notSent' | 'rateLimited';
			readonly problem: string;
			readonly notBefore: number;
			readonly at?: number;
	  })
	/** Not accepted, and it won't be until something else changes (401, 402, 403). */
	| (OfOneTry & {readonly type: 'held'; readonly problem: string})
	/** Not accepted, and the same text would be refused again. */
	| (OfOneTry & {readonly type: 'refused'; readonly problem: string})
	/** It may have been accepted: to be looked for until `lookUntil`. */
	| (OfOneTry & {readonly type: 'lost'; readonly problem: string; readonly lookUntil: number})
	/** `isBehind`: the session was at work already. */
	| {readonly type: 'accepted'; readonly messageId: string; readonly isBehind?: boolean}
	| {readonly type: 'foundInListing'; readonly messageId: string}
	| {readonly type: 'seen'}
	| {readonly type: 'giveUpLooking'; readonly problem: string}
	/** The message that was taken for it is another row's: it is to be looked for again, until `lookUntil`. */
	| {readonly type: 'disowned'; readonly problem: string; readonly lookUntil: number}
	/** It is to be looked for again: by one read at least, and until `lookUntil`. */
	| {readonly type: 'lookAgain'; readonly lookUntil: number}
	/** The user's choice. */
	| {readonly type: 'resend'};

/** A message of ours before anything happened to it. */
export function newOutboxItem(
	sessionId: string,
	{text, images = [], files = [], computerId}: OutboxDraft,
	{accountId, createdAt}: {readonly accountId: string | undefined; readonly createdAt: number},
): OutboxItem {
	return {
		id: crypto.randomUUID(),
		...(accountId !== undefined && {accountId}),
		sessionId,
		...(computerId !== undefined && {computerId}),
		text,
		images,
		files,
		state: 'queued',
		createdAt,
		tries: 0,
	};
}

/** Did the service take it, whether or not it was seen in a listing yet? */
export function isDelivered({state}: Pick<OutboxItem, 'state'>): boolean {
	return state === 'accepted' || state === 'seen';
}

/** The wait of a queued message; none when it can be sent at once. */
export function waitOf({notBefore, waitsSince, createdAt}: OutboxItem): Wait | undefined {
	return notBefore === undefined ? undefined : {since: waitsSince ?? createdAt, until: notBefore};
}

/** The row after the event; the same object when the event changes nothing, because it came too late or fits no state. */
export function deliver(item: OutboxItem, event: DeliveryEvent): OutboxItem {
	const {notBefore, waitsSince, problem, lookUntil, sentAt, sentSkew, knownBefore, ...rest} = item;
	const isOfTry = !('sentAt' in event) || event.sentAt === undefined || event.sentAt === sentAt;
	const isSending = item.state === 'sending' && isOfTry;
	const sent = {
		...(sentAt !== undefined && {sentAt}),
		...(sentSkew !== undefined && {sentSkew}),
		...(knownBefore && {knownBefore}),
	};
	switch (event.type) {
		case 'sending': {
			if (item.state !== 'queued') return item;
			const {at, knownBefore, skew} = event;
			return {
				...rest,
				state: 'sending',
				sentAt: at,
				...(skew !== undefined && {sentSkew: skew}),
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
				...(event.at !== undefined && {waitsSince: event.at}),
				problem: event.problem,
			};
		case 'held':
			return isSending ? {...rest, state: 'queued', problem: event.problem} : item;
		case 'refused':
			return isSending ? {...rest, state: 'failed', problem: event.problem} : item;
		case 'lost':
			if (!isSending) return item;
			return {...rest, ...sent, state: 'unconfirmed', problem: event.problem, lookUntil: event.lookUntil};
		case 'accepted':
			// Whatever was thought of it meanwhile, by another process even: the service has it.
			if (item.state === 'accepted' || item.state === 'seen') return item;
			return {
				...rest,
				...sent,
				state: 'accepted',
				messageId: event.messageId,
				...(event.isBehind && {isBehind: true}),
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
		case 'resend': {
			const isOurs = item.state === 'failed' || item.state === 'unconfirmed' || item.state === 'queued';
			return isOurs ? {...rest, state: 'queued', tries: 0} : item;
		}
	}
}

/**
 * A message on the wire can't be taken back. Nor is one the service has: its row says whose that message is, so that no
 * other row with the same words takes it for its own.
 */
export function canDiscard({state}: OutboxItem): boolean {
	return state === 'queued' || state === 'unconfirmed' || state === 'failed';
}

/** May it be on its way still? Then no later message of its session is sent: what it says may depend on this one. */
export function isUnderWay(item: OutboxItem): boolean {
	return item.state === 'sending' || (item.state === 'unconfirmed' && item.lookUntil !== undefined);
}

/**
 * Our message among `candidates`, when its answer was lost: a user's message that was not
 * known before the send and no other row has claimed, with the same text and as many attachments, created no more than
 * `skew` ms before the send. Of several, the oldest.
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
		.filter(message => saysTheSame(item, message))
		.reduce<Message | undefined>(
			(first, next) => (first && (first.createdAt ?? 0) <= (next.createdAt ?? 0) ? first : next),
			undefined,
		);
}

/** Has it the words and the number of attachments of our message, and nothing that speaks against the user as author? */
export function saysTheSame(item: OutboxItem, message: Message): boolean {
	if (message.role !== undefined && message.role !== 'user') return false;
	const content = message.content ?? [];
	const texts = content.flatMap(({text}) => (text === undefined ? [] : [text]));
	if (content.length - texts.length !== item.images.length + item.files.length) return false;
	return (
		sameWords(texts.join('')) === sameWords(item.text) || sameWords(texts.join('\n')) === sameWords(item.text)
	);
}

/** A service may change line ends and cut the space around. */
function sameWords(text: string): string {
	return text.replace(/\r\n?/g, '\n').trim();
}
