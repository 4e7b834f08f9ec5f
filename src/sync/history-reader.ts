import type {StreamEntry} from '../state/stream.ts';
import type {Clock} from './clock.ts';
import type {HistoryWindow} from './history-window.ts';
import type {ReadPage} from './listing.ts';
import type {MessageChanges} from './message-changes.ts';
import type {MessageReader} from './message-reader.ts';
import type {MessageWindow} from './message-window.ts';
import type {RoleReader} from './role-reader.ts';
import {waitWithTimeout} from './wait-with-timeout.ts';

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
	readonly messageWindow: MessageWindow;
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
const maxWindowSize = 5_000;
/** How long older messages wait to be shown together with their roles, ms. */
const hold = 1_500;

export function createHistoryReader({
	messageWindow,
	reader,
	roles,
	read,
	show,
	clock,
}: HistoryOptions): HistoryReader {
	let isReadingOlder = false;
	let isAskingOlder = false;
	let historyWindow: HistoryWindow | undefined;

	async function askOlder(): Promise<void> {
		isAskingOlder = true;
		show();
		try {
			await aside(() => reader.readOlder(read));
			historyWindow?.older();
		} finally {
			isAskingOlder = false;
			show();
		}
	}

	/** What is read for a history window goes through the message window to the disk, and is let go again. */
	async function aside(work: () => Promise<MessageChanges>): Promise<void> {
		const count = messageWindow.timeline.items().length;
		const wasInHistory = historyWindow !== undefined;
		const changes = await work();
		const added = [...changes.added].flatMap(id => messageWindow.timeline.get(id) ?? []);
		const resolving = roles.resolve(read, added, {kind: 'history'});
		await waitWithTimeout(clock, hold, resolving);
		if (!historyWindow) show();
		await resolving;
		if (wasInHistory && historyWindow) messageWindow.trim(count);
	}

	async function resolveShown(): Promise<void> {
		const shown = historyWindow?.items() ?? messageWindow.timeline.items();
		const resolved = await roles.resolve(read, shown, {kind: 'history'});
		if (resolved.length === 0) return;
		historyWindow?.reload();
		show();
	}

	return {
		entries: () => (historyWindow ? messageWindow.entriesOf(historyWindow) : messageWindow.entries()),
		get hasOlder() {
			return historyWindow ? historyWindow.hasOlder || messageWindow.hasUnread : messageWindow.hasOlder;
		},
		get hasNewer() {
			return historyWindow !== undefined;
		},
		get isAskingOlder() {
			return isAskingOlder;
		},
		async older() {
			isReadingOlder = true;
			if (!historyWindow && messageWindow.timeline.items().length >= maxWindowSize) {
				historyWindow = messageWindow.openHistory({count: windowSize});
				messageWindow.trim(windowSize);
			}
			const brought = historyWindow ? historyWindow.older() : messageWindow.loadOlder();
			if (brought === 0 && messageWindow.hasUnread) await askOlder();
			else show();
			await resolveShown();
		},
		resolveShown,
		async fillGap(gapId) {
			await aside(() => reader.fillGap(read, gapId));
			historyWindow?.reload();
			show();
		},
		newer() {
			if (!historyWindow) return;
			const isAtEnd = historyWindow.newer() === 0;
			if (isAtEnd || historyWindow.items().some(({id}) => messageWindow.timeline.get(id))) {
				messageWindow.mergeHistory(historyWindow);
				historyWindow = undefined;
			}
			show();
		},
		goTo(id) {
			if (messageWindow.timeline.get(id)) historyWindow = undefined;
			else historyWindow = messageWindow.openHistory({id}) ?? historyWindow;
		},
		goBack() {
			if (!historyWindow && !isReadingOlder) return false;
			historyWindow = undefined;
			isReadingOlder = false;
			messageWindow.trim(windowSize);
			return true;
		},
		polled() {
			if (!isReadingOlder && messageWindow.timeline.items().length > windowSize + windowSlack)
				messageWindow.trim(windowSize);
		},
		left() {
			isReadingOlder = false;
			messageWindow.trim(windowSize);
		},
	};
}
