import {blockerOf, type OutboxItem, waitingForTurn} from '../../domain/messages/delivery.ts';
import type {Message} from '../../domain/messages/message.ts';
import type {SessionActivity} from '../../domain/sessions/activity.ts';
import type {NewLine, Stream, StreamEntry} from '../../state/stream.ts';
import {
	createToolPairing,
	hasTools,
	isDrawnElsewhere,
	isSmallCalls,
	type PairedMessage,
} from '../../text/messages/tool-pairs.ts';

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
			messages: paired.length > 0 ? paired : undefined,
			otherIds: otherIds.length > 0 ? otherIds : undefined,
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

/**
 * Finds the first unread message. Unread are the agent's newest messages, as many as `activity` counts, and later
 * ones.
 */
export function newLineOf(
	entries: Stream['entries'],
	activity: Pick<SessionActivity, 'newestId' | 'unread' | 'isUnreadPartial'> | undefined,
): NewLine | undefined {
	if (!activity || activity.unread === 0) return undefined;
	let left = activity.unread;
	let count = 0;
	let id: string | undefined;
	let isCounted = !entries.some(entry => entry.id === activity.newestId);
	for (let index = entries.length - 1; index >= 0 && left > 0; index--) {
		const entry = entries[index];
		isCounted ||= entry?.id === activity.newestId;
		if (entry?.kind !== 'message' || entry.role !== 'assistant' || entry.message.isUserVisible === false)
			continue;
		id = entry.id;
		count++;
		if (isCounted) left--;
	}
	return id === undefined ? undefined : {id, count, isPartial: left > 0 || activity.isUnreadPartial === true};
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

/** Entries that are drawn as one item. */
type ToolGroup = {
	/** The first one, and its index among all entries. */
	readonly entry: StreamEntry;
	readonly index: number;
	/** The messages to draw; empty if the entry has no tool calls or results. */
	readonly paired: PairedMessage[];
	/** Ids of all others, also of results that are drawn with calls of the first. */
	readonly otherIds: string[];
	/** Versions of what is drawn besides the entry's own message. */
	readonly versions: string[];
	/** Whether it is a run of small calls. */
	isRun: boolean;
};

/** A longer run of small calls is drawn as several items, so that a new call lays out only a part of it again. */
const maxRun = 100;

/**
 * Groups entries so that results are drawn with their calls and small calls in a row as one item. An entry that
 * `startsItem` isn't added to a run.
 */
function toolGroups(entries: readonly StreamEntry[], startsItem: (index: number) => boolean): ToolGroup[] {
	const pairing = createToolPairing();
	const groups: ToolGroup[] = [];
	const groupOf = new Map<PairedMessage, ToolGroup>();
	for (const [index, entry] of entries.entries()) {
		const own: ToolGroup = {entry, index, paired: [], otherIds: [], versions: [], isRun: false};
		if (entry.kind === 'gap') {
			pairing.skip();
			groups.push(own);
			continue;
		}
		const {paired, answered} = pairing.add(entry.message);
		if (!hasTools(paired)) {
			groups.push(own);
			continue;
		}
		const version = `${entry.id} ${entry.version}`;
		for (const call of answered) {
			const group = groupOf.get(call);
			if (!group) continue;
			if (group.paired.length === 0) group.paired.push(call);
			group.versions.push(version);
		}
		// Drawn in the group of its first call, where the results of the other calls are found, too.
		const [first] = answered;
		if (first && isDrawnElsewhere(paired)) {
			groupOf.get(first)?.otherIds.push(entry.id);
			continue;
		}
		if (paired.pairedResults.size > 0) own.versions.push(`results ${[...paired.pairedResults].join()}`);
		const isRun = isSmallCalls(paired);
		const last = groups.at(-1);
		if (
			isRun &&
			last?.isRun &&
			last.paired.length < maxRun &&
			!startsItem(index) &&
			isAlike(last.entry, entry)
		) {
			last.paired.push(paired);
			last.otherIds.push(entry.id);
			last.versions.push(version);
			groupOf.set(paired, last);
			continue;
		}
		own.isRun = isRun;
		for (const steps of paired.newSteps.values()) own.versions.push(`steps ${[...steps].join()}`);
		if (isRun || paired.pairedResults.size > 0 || paired.newSteps.size > 0) own.paired.push(paired);
		groupOf.set(paired, own);
		groups.push(own);
	}
	return groups;
}

/** Whether two entries can be drawn as one: of one author and day. */
function isAlike(a: StreamEntry, b: StreamEntry): boolean {
	if (a.kind === 'gap' || b.kind === 'gap') return false;
	return (
		a.role === b.role && a.isRoleLate === b.isRoleLate && isSameDay(a.message.createdAt, b.message.createdAt)
	);
}

function isSameDay(a: number | undefined, b: number | undefined): boolean {
	if (a === undefined || b === undefined) return a === b;
	return Math.abs(a - b) < 24 * 3_600_000 && new Date(a).getDate() === new Date(b).getDate();
}

/** Changes with anything that is drawn; undefined if only the entry itself is. */
function groupVersion({entry, versions}: ToolGroup): string | undefined {
	return versions.length === 0 ? undefined : [entry.version, ...versions].join(' ');
}
