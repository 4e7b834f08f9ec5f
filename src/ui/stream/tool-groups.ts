import type {StreamEntry} from '../../state/stream.ts';
import {
	createToolPairing,
	hasTools,
	isDrawnElsewhere,
	isSmallCalls,
	type PairedMessage,
} from '../../text/messages/tool-pairs.ts';

/** Entries that are drawn as one item. */
export type ToolGroup = {
	/** The first one. */
	readonly entry: StreamEntry;
	/** Its index among all entries. */
	readonly index: number;
	/** The messages to draw; empty if the entry has no tool calls or results. */
	readonly paired: readonly PairedMessage[];
	/** Ids of all others, also of results that are drawn with calls of the first. */
	readonly otherIds: readonly string[];
	/** Versions of what is drawn besides the entry's own message. */
	readonly versions: readonly string[];
};

type Draft = ToolGroup & {paired: PairedMessage[]; otherIds: string[]; versions: string[]; isRun: boolean};

/** A longer run of small calls is drawn as several items, so that a new call lays out only a part of it again. */
const maxRun = 100;

/**
 * Groups entries so that results are drawn with their calls and small calls in a row as one item. An entry that
 * `startsItem` isn't added to a run.
 */
export function toolGroups(
	entries: readonly StreamEntry[],
	startsItem: (index: number) => boolean,
): ToolGroup[] {
	const pairing = createToolPairing();
	const groups: Draft[] = [];
	const groupOf = new Map<PairedMessage, Draft>();
	for (const [index, entry] of entries.entries()) {
		const own: Draft = {entry, index, paired: [], otherIds: [], versions: [], isRun: false};
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
export function groupVersion({entry, versions}: ToolGroup): string | undefined {
	return versions.length === 0 ? undefined : [entry.version, ...versions].join(' ');
}
