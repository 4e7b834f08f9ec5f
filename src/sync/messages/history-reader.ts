import {type Clock, waitWithTimeout} from '../../domain/clock.ts';
import type {HistoryWindow} from './history-window.ts';
import type {ReadPage} from './listing.ts';
import type {MessageChanges} from './message-window.ts';
import type {Thread} from './thread.ts';

export type HistoryReader = ReturnType<typeof createHistoryReader>;

type HistoryOptions = {
	readonly thread: Thread;
	/** Reads at urgent priority, since the user is waiting. */
	readonly read: ReadPage;
	readonly show: () => void;
	readonly clock: Clock;
};

/** Maximum number of messages in memory while nobody reads older ones. */
export const windowSize = 2_000;
const windowSlack = 500;
/** The window grows backward up to this size; beyond it, only a part of the history is in memory. */
const maxWindowSize = 5_000;
/** Maximum time that older messages wait for their roles before they are shown, ms. */
const roleTimeout = 1_500;

/** What the user sees of a session: its newest messages, extended backward, or a part of its history. */
export function createHistoryReader({thread, read, show, clock}: HistoryOptions) {
	const {window: messageWindow, roles} = thread;
	let isReadingOlder = false;
	let isLoadingOlder = false;
	let historyWindow: HistoryWindow | undefined;

	async function requestOlder(): Promise<void> {
		isLoadingOlder = true;
		show();
		try {
			await readThroughWindow(() => thread.readOlder(read));
			historyWindow?.older();
		} finally {
			isLoadingOlder = false;
			show();
		}
	}

	/** Reads messages for a history window: to disk through the message window, then trims that. */
	async function readThroughWindow(work: () => Promise<MessageChanges>): Promise<void> {
		const count = messageWindow.timeline.items().length;
		const wasInHistory = historyWindow !== undefined;
		const changes = await work();
		const resolving = roles.resolve(read, thread.itemsOf(changes.added), {isHistory: true});
		await waitWithTimeout(clock, roleTimeout, resolving);
		if (!historyWindow) show();
		await resolving;
		if (wasInHistory && historyWindow) messageWindow.trim(count);
	}

	async function fillGap(gapId: string): Promise<void> {
		await readThroughWindow(() => thread.fillGap(read, gapId));
		historyWindow?.reload();
		show();
	}

	/** Resolves the roles of the messages shown that the cache doesn't have. */
	async function resolveShown(): Promise<void> {
		const shown = historyWindow?.items() ?? messageWindow.timeline.items();
		const resolved = await roles.resolve(read, shown, {isHistory: true});
		if (resolved.size === 0) return;
		historyWindow?.reload();
		show();
	}

	return {
		/** What is shown in place of the newest messages, if anything. */
		get window() {
			return historyWindow;
		},
		get hasOlder() {
			return historyWindow ? historyWindow.hasOlder || messageWindow.hasUnread : messageWindow.hasOlder;
		},
		get isLoadingOlder() {
			return isLoadingOlder;
		},
		/** Loads older messages, from the cache first. */
		async loadOlder() {
			isReadingOlder = true;
			if (!historyWindow && messageWindow.timeline.items().length >= maxWindowSize) {
				historyWindow = messageWindow.oldestHistory(windowSize);
				messageWindow.trim(windowSize);
			}
			const loaded = historyWindow ? historyWindow.older() : messageWindow.loadOlder();
			if (loaded === 0 && messageWindow.hasUnread) await requestOlder();
			else show();
			await resolveShown();
		},
		resolveShown,
		fillGap,
		get hasGaps() {
			return (messageWindow.listing.gaps ?? []).length > 0;
		},
		/** Reads what was never read, newest first, to disk: as long as it is wanted and the service goes on. */
		async readRest(isWanted: () => boolean) {
			let last = '';
			for (;;) {
				const gaps = messageWindow.listing.gaps ?? [];
				const gap = gaps.findLast(({after}) => after !== undefined) ?? gaps[0];
				const next = JSON.stringify(gaps);
				if (!gap || next === last || !isWanted()) return;
				last = next;
				await fillGap(gap.id);
			}
		},
		loadNewer() {
			if (!historyWindow) return;
			const isAtEnd = historyWindow.newer() === 0;
			if (isAtEnd || historyWindow.items().some(({id}) => messageWindow.timeline.get(id))) {
				messageWindow.mergeHistory(historyWindow);
				historyWindow = undefined;
			}
			show();
		},
		/** Shows the part of the history around a cached message. */
		showMessage(id: string) {
			if (messageWindow.timeline.get(id)) historyWindow = undefined;
			else historyWindow = messageWindow.historyAround(id) ?? historyWindow;
		},
		/** Returns to the newest messages; returns whether anything changed. */
		showNewest(): boolean {
			if (!historyWindow && !isReadingOlder) return false;
			historyWindow = undefined;
			isReadingOlder = false;
			messageWindow.trim(windowSize);
			return true;
		},
		/** Shows a part of the history as the cache now has it. */
		reload() {
			if (!historyWindow) return;
			historyWindow.reload();
			show();
		},
		/** Trims the window after a poll, unless the user is reading older messages in it. */
		polled() {
			if (!isReadingOlder && messageWindow.timeline.items().length > windowSize + windowSlack)
				messageWindow.trim(windowSize);
		},
		/** Trims the window when the user has left the session. */
		left() {
			isReadingOlder = false;
			messageWindow.trim(windowSize);
		},
	};
}
