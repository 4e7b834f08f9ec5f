import type {StreamEntry} from '../../state/stream.ts';
import type {Clock} from '../core/clock.ts';
import type {ReadPage} from '../core/read-list.ts';
import {waitWithTimeout} from '../core/wait-with-timeout.ts';
import type {HistoryWindow} from './history-window.ts';
import type {MessageChanges} from './message-changes.ts';
import type {MessageReader} from './message-reader.ts';
import type {MessageWindow} from './message-window.ts';
import type {RoleReader} from './role-reader.ts';

/** What the user sees of a session: its newest messages, extended backward, or a part of its history. */
export type HistoryReader = {
	entries(): readonly StreamEntry[];
	readonly hasOlder: boolean;
	/** True while a part of the history is shown that doesn't include the newest messages. */
	readonly hasNewer: boolean;
	readonly isAskingOlder: boolean;
	/** Loads older messages, from the cache first. */
	older(): Promise<void>;
	fillGap(gapId: string): Promise<void>;
	newer(): void;
	/** Shows the part of the history around a cached message. */
	goTo(id: string): void;
	/** Returns to the newest messages; returns whether anything changed. */
	goBack(): boolean;
	/** Resolves the roles of the messages shown that the cache doesn't hold. */
	resolveShown(): Promise<void>;
	/** Trims the window after a poll, unless the user is reading older messages in it. */
	polled(): void;
	/** Trims the window when the user has left the session. */
	left(): void;
};

export type HistoryOptions = {
	readonly messageWindow: MessageWindow;
	readonly reader: MessageReader;
	readonly roles: RoleReader;
	/** Reads at urgent priority, since the user is waiting. */
	readonly read: ReadPage;
	/** Called when the stream has changed. */
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

	async function requestOlder(): Promise<void> {
		isAskingOlder = true;
		show();
		try {
			await readThroughWindow(() => reader.readOlder(read));
			historyWindow?.older();
		} finally {
			isAskingOlder = false;
			show();
		}
	}

	/** Reads messages for a history window: to disk through the message window, then trims that. */
	async function readThroughWindow(work: () => Promise<MessageChanges>): Promise<void> {
		const count = messageWindow.timeline.items().length;
		const wasInHistory = historyWindow !== undefined;
		const changes = await work();
		const added = [...changes.added].flatMap(id => messageWindow.timeline.get(id) ?? []);
		const resolving = roles.resolve(read, added, {kind: 'history'});
		await waitWithTimeout(clock, roleTimeout, resolving);
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
			const loaded = historyWindow ? historyWindow.older() : messageWindow.loadOlder();
			if (loaded === 0 && messageWindow.hasUnread) await requestOlder();
			else show();
			await resolveShown();
		},
		resolveShown,
		async fillGap(gapId) {
			await readThroughWindow(() => reader.fillGap(read, gapId));
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
