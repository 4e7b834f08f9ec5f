import {blockerOf, type OutboxItem} from '../../domain/messages/delivery.ts';
import type {Message} from '../../domain/messages/message.ts';
import {waitingForTurn} from '../../domain/messages/waiting-turn.ts';
import type {StreamEntry} from '../../state/stream.ts';
import type {PairedMessage} from '../../text/messages/tool-pairs.ts';
import {groupVersion, toolGroups} from './tool-groups.ts';

/**
 * An item in a session's stream, oldest first: an entry with the results of its calls, small calls in a row, or our
 * own message that no listing contains yet.
 */
export type StreamItem = {
	readonly id: string;
	/** Changes whenever the item's rows may have changed. */
	readonly version: number | string;
	readonly entry: StreamEntry;
	/** The messages drawn as this item, if their tool calls have results or they are many small calls. */
	readonly messages?: readonly PairedMessage[];
	/** Ids of other messages that are part of this item: small calls in a row, and results of calls. */
	readonly otherIds?: readonly string[];
	/** The delivery state of our message, while relevant. */
	readonly outbox?: OutboxItem;
	/** The place of our message in the session's turns, unless its turn is now. */
	readonly turn?: PlaceInTurn;
	/** The message it answers, if the previous item doesn't show that; `earlier` if that message is not loaded. */
	readonly answers?: Message | 'earlier';
};

/**
 * `waits`: the service has it but works on an earlier message. `next`: it waits here behind such a message. `behind`: it
 * waits here behind one that is unconfirmed.
 */
export type PlaceInTurn = 'waits' | 'next' | 'behind';

/**
 * Merges entries and outbox into one stream. Our own message appears once: as its entry if there is one,
 * otherwise at the end, in the order written. Omits messages hidden from the user unless `showsHidden`.
 */
export function streamItems(
	entries: readonly StreamEntry[],
	outbox: readonly OutboxItem[],
	showsHidden = false,
	isAtWork = false,
): StreamItem[] {
	const waiting = waitingIds(entries, outbox, isAtWork);
	const byMessage = new Map(
		outbox.flatMap(item => (item.messageId === undefined ? [] : [[item.messageId, item]])),
	);
	const visible = showsHidden ? entries : entries.filter(entry => !isHidden(entry));
	const messages = new Map(entries.map(entry => [entry.id, entry]));
	const shown = new Set<string>();
	const answers = visible.map((entry, index) => answersOf(entry, visible[index - 1], messages));
	const items = toolGroups(visible, index => answers[index] !== undefined).map((group): StreamItem => {
		const {entry, paired, otherIds} = group;
		const item = byMessage.get(entry.id);
		const answered = answers[group.index];
		const more = {
			entry,
			answers: answered,
			...(paired.length > 0 && {messages: paired}),
			...(otherIds.length > 0 && {otherIds}),
		};
		if (!item) return {id: entry.id, version: groupVersion(group) ?? entry.version, ...more};
		shown.add(item.id);
		return {id: entry.id, ...more, ...delivered(item, entry.version, waiting, outbox)};
	});
	for (const item of outbox)
		if (!shown.has(item.id) && item.state !== 'seen') items.push(ownItem(item, waiting, outbox));
	return items;
}

/** Number of our own items at the end that no listing contains yet. */
export function pendingCount(items: readonly StreamItem[]): number {
	return items.length - 1 - items.findLastIndex(({id, outbox}) => outbox?.id !== id);
}

export function messageIds({id, otherIds = []}: StreamItem): readonly string[] {
	return [id, ...otherIds];
}

export function isHidden(entry: StreamEntry): boolean {
	return entry.kind === 'message' && entry.message.isUserVisible === false;
}

/** The message that an entry answers. Undefined if it follows its parent or another child of that parent. */
function answersOf(
	entry: StreamEntry,
	before: StreamEntry | undefined,
	messages: ReadonlyMap<string, StreamEntry>,
): StreamItem['answers'] {
	if (entry.kind === 'gap' || before?.kind !== 'message') return undefined;
	const {parentId} = entry.message;
	if (parentId === undefined || parentId === before.id || parentId === before.message.parentId)
		return undefined;
	const parent = messages.get(parentId);
	if (parent?.kind !== 'message') return 'earlier';
	return isHidden(parent) ? undefined : parent.message;
}

/** Ids of our messages that wait for their turn at the service. */
function waitingIds(
	entries: readonly StreamEntry[],
	outbox: readonly OutboxItem[],
	isAtWork: boolean,
): ReadonlySet<string> {
	if (!isAtWork) return new Set();
	const messages = entries.filter(entry => entry.kind === 'message');
	return new Set(waitingForTurn(outbox, messages).map(({id}) => id));
}

function delivered(
	outbox: OutboxItem,
	version: number,
	waiting: ReadonlySet<string>,
	all: readonly OutboxItem[],
): Pick<StreamItem, 'version' | 'outbox' | 'turn'> {
	const turn = placeOf(outbox, waiting, all);
	return {version: `${version} ${turn === 'waits' ? turn : outbox.state}`, outbox, turn};
}

function placeOf(
	item: OutboxItem,
	waiting: ReadonlySet<string>,
	all: readonly OutboxItem[],
): PlaceInTurn | undefined {
	if (waiting.has(item.id)) return 'waits';
	if (blockerOf(item, all)) return 'behind';
	return item.state === 'queued' && waiting.size > 0 ? 'next' : undefined;
}

function ownItem(item: OutboxItem, waiting: ReadonlySet<string>, all: readonly OutboxItem[]): StreamItem {
	const attachments = [
		...item.images.map(image => ({...image, type: 'image'})),
		...item.files.map(file => ({...file, type: 'file'})),
	];
	const message = {
		id: item.id,
		content: [{text: item.text, id: item.id}, ...attachments],
		createdAt: item.createdAt,
	};
	return {
		id: item.id,
		...delivered(item, item.tries, waiting, all),
		entry: {kind: 'message', id: item.id, version: item.tries, message, role: 'user'},
	};
}
