import type {DeliveryState, OutboxItem} from '../../domain/delivery.ts';
import type {Message} from '../../domain/message.ts';
import type {StreamEntry} from '../../state/stream.ts';

/** One thing in the stream of a session, oldest first: an entry, or a message of ours that no listing holds yet. */
export type StreamItem = {
	readonly id: string;
	/** Goes up or changes whenever its rows may have changed. */
	readonly version: number;
	readonly entry: StreamEntry;
	/** The delivery of a message of ours, while it is worth telling. */
	readonly outbox?: OutboxItem;
	/** What it answers, when that is not told by what stands before it: a message, or one that is not loaded. */
	readonly answers?: Message | 'earlier';
};

/**
 * Entries and outbox as one stream. A message of ours is drawn once: by its entry as soon as there is one, before that
 * at the end, in the order it was written. Messages that are not for the user's eyes are left out unless asked for.
 */
export function streamItems(
	entries: readonly StreamEntry[],
	outbox: readonly OutboxItem[],
	showsHidden = false,
): StreamItem[] {
	const byMessage = new Map(
		outbox.flatMap(item => (item.messageId === undefined ? [] : [[item.messageId, item]])),
	);
	const visible = showsHidden ? entries : entries.filter(entry => !isHidden(entry));
	const messages = new Map(entries.map(entry => [entry.id, entry]));
	const shown = new Set<string>();
	const items = visible.map((entry, index): StreamItem => {
		const item = byMessage.get(entry.id);
		const answers = answersOf(entry, visible[index - 1], messages);
		const more = {entry, ...(answers && {answers})};
		if (!item) return {id: entry.id, version: versionOf(entry.version), ...more};
		shown.add(item.id);
		return {id: entry.id, version: versionOf(entry.version, item.state), ...more, outbox: item};
	});
	for (const item of outbox) if (!shown.has(item.id) && item.state !== 'seen') items.push(ownItem(item));
	return items;
}

export function isHidden(entry: StreamEntry): boolean {
	return entry.kind === 'message' && entry.message.isUserVisible === false;
}

/** A message stands in its place when the one before it is its parent, or another child of the same parent. */
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

function ownItem(item: OutboxItem): StreamItem {
	const attachments = [
		...item.images.map(image => ({type: 'image', data: image.data})),
		...item.files.map(file => ({...file, type: 'file'})),
	];
	const message = {
		id: item.id,
		content: [{text: item.text, id: item.id}, ...attachments],
		createdAt: item.createdAt,
	};
	return {
		id: item.id,
		version: versionOf(item.tries, item.state),
		entry: {kind: 'message', id: item.id, version: item.tries, message, role: 'user'},
		outbox: item,
	};
}

const states: readonly (DeliveryState | undefined)[] = [
	undefined,
	'queued',
	'sending',
	'accepted',
	'seen',
	'unconfirmed',
	'failed',
];

/** One number for the version of an entry and the state of its delivery. */
function versionOf(version: number, state?: DeliveryState): number {
	return version * states.length + states.indexOf(state);
}
