import type {StreamEntry} from '../state/stream.ts';
import type {Clock} from './clock.ts';
import type {ReadPage} from './listing.ts';
import type {MessageReader} from './message-reader.ts';
import type {News} from './news.ts';
import type {RoleReader} from './role-reader.ts';
import type {Shelf} from './shelf.ts';
import type {Visit} from './visit.ts';
import {within} from './within.ts';

/** What the reader of one session sees of its history: the newest messages, more and more before them, or a stretch. */
export type HistoryReader = {
	entries(): readonly StreamEntry[];
	readonly hasOlder: boolean;
	/** A stretch is shown, and newer messages exist than its last one. */
	readonly hasNewer: boolean;
	readonly isAskingOlder: boolean;
	/** Brings older messages: from the cache first. */
	older(): Promise<void>;
	fillGap(gapId: string): Promise<void>;
	newer(): void;
	/** Goes to the stretch around a kept message. */
	goTo(id: string): void;
	/** Back to the newest messages; answers whether it was elsewhere. */
	goBack(): boolean;
	/** Asks who wrote what is shown, where the cache does not tell. */
	resolveShown(): Promise<void>;
	/** Cuts the window after a poll, unless someone reads older messages in it. */
	polled(): void;
	/** Cuts the window: nobody reads. */
	left(): void;
};

export type HistoryOptions = {
	readonly shelf: Shelf;
	readonly reader: MessageReader;
	readonly roles: RoleReader;
	/** Reads for someone who waits. */
	readonly read: ReadPage;
	/** Called when there is something new to be seen. */
	readonly show: () => void;
	readonly clock: Clock;
};

/** Messages in memory while nobody reads older ones. */
export const windowSize = 2_000;
const windowSlack = 500;
/** Older ones are added to those up to here; further back only a stretch of the history is in memory. */
const windowMost = 5_000;
/** How long older messages wait to be shown together with their roles, ms. */
const hold = 1_500;

export function createHistoryReader({
	shelf,
	reader,
	roles,
	read,
	show,
	clock,
}: HistoryOptions): HistoryReader {
	let isReadingOlder = false;
	let isAskingOlder = false;
	let visit: Visit | undefined;

	async function askOlder(): Promise<void> {
		isAskingOlder = true;
		show();
		try {
			await aside(() => reader.readOlder(read));
			visit?.older();
		} finally {
			isAskingOlder = false;
			show();
		}
	}

	/** What is read for a visit goes through the window to the disk, and is let go again: the window is elsewhere. */
	async function aside(work: () => Promise<News>): Promise<void> {
		const count = shelf.timeline.items().length;
		const isVisit = visit !== undefined;
		const news = await work();
		const added = [...news.added].flatMap(id => shelf.timeline.get(id) ?? []);
		const resolving = roles.resolve(read, added, {kind: 'history'});
		await within(clock, hold, resolving);
		if (!visit) show();
		await resolving;
		if (isVisit && visit) shelf.trim(count);
	}

	async function resolveShown(): Promise<void> {
		const shown = visit?.items() ?? shelf.timeline.items();
		const told = await roles.resolve(read, shown, {kind: 'history'});
		if (told.length === 0) return;
		visit?.reload();
		show();
	}

	return {
		entries: () => (visit ? shelf.entriesOf(visit) : shelf.entries()),
		get hasOlder() {
			return visit ? visit.hasOlder || shelf.hasUnread : shelf.hasOlder;
		},
		get hasNewer() {
			return visit !== undefined;
		},
		get isAskingOlder() {
			return isAskingOlder;
		},
		async older() {
			isReadingOlder = true;
			if (!visit && shelf.timeline.items().length >= windowMost) {
				visit = shelf.visit({count: windowSize});
				shelf.trim(windowSize);
			}
			const brought = visit ? visit.older() : shelf.loadOlder();
			if (brought === 0 && shelf.hasUnread) await askOlder();
			else show();
			await resolveShown();
		},
		resolveShown,
		async fillGap(gapId) {
			await aside(() => reader.fillGap(read, gapId));
			visit?.reload();
			show();
		},
		newer() {
			if (!visit) return;
			const isAtEnd = visit.newer() === 0;
			if (isAtEnd || visit.items().some(({id}) => shelf.timeline.get(id))) {
				shelf.adopt(visit);
				visit = undefined;
			}
			show();
		},
		goTo(id) {
			if (shelf.timeline.get(id)) visit = undefined;
			else visit = shelf.visit({id}) ?? visit;
		},
		goBack() {
			if (!visit && !isReadingOlder) return false;
			visit = undefined;
			isReadingOlder = false;
			shelf.trim(windowSize);
			return true;
		},
		polled() {
			if (!isReadingOlder && shelf.timeline.items().length > windowSize + windowSlack) shelf.trim(windowSize);
		},
		left() {
			isReadingOlder = false;
			shelf.trim(windowSize);
		},
	};
}
