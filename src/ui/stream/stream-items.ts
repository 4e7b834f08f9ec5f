import type {DeliveryState, OutboxItem} from '../../domain/delivery.ts';
import type {StreamEntry} from '../../state/stream.ts';

/** One thing in the stream of a session, oldest first: an entry, or a message of ours that no listing holds yet. */
export type StreamItem = {
	readonly id: string;
	/** Goes up or changes whenever its rows may have changed. */
	readonly version: number;
	readonly entry: StreamEntry;
	/** The delivery of a message of ours, while it is worth telling. */
	readonly outbox?: OutboxItem;
};

/**
 * Entries and outbox as one stream. A message of ours is drawn once: by its entry as soon as there is one, before that
 * at the end, in the order it was written.
 */
export function streamItems(entries: readonly StreamEntry[], outbox: readonly OutboxItem[]): StreamItem[] {
	const byMessage = new Map(
		outbox.flatMap(item => (item.messageId === undefined ? [] : [[item.messageId, item]])),
	);
	const shown = new Set<string>();
	const items = entries.map((entry): StreamItem => {
		const item = byMessage.get(entry.id);
		if (!item) return {id: entry.id, version: versionOf(entry.version), entry};
		shown.add(item.id);
		return {id: entry.id, version: versionOf(entry.version, item.state), entry, outbox: item};
	});
	for (const item of outbox) if (!shown.has(item.id) && item.state !== 'seen') items.push(ownItem(item));
	return items;
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
