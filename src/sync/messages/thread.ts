import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';
import type {Clock} from '../../domain/clock.ts';
import type {MissingMessages} from '../../domain/messages/missing-messages.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import type {SafeWrite} from '../core/safe-write.ts';
import type {ActivityReading} from './activity-recorder.ts';
import {createMessageChanges, type MessageChanges} from './message-changes.ts';
import {createMessageReader, type MessageReader} from './message-reader.ts';
import {MessageWindow} from './message-window.ts';
import {addGap} from './newest-first-reader.ts';
import type {ReadPage} from './pages.ts';
import {createRoleReader, type RoleProgress, type RoleReader} from './role-reader.ts';

/** Number of newest messages to infer the state of a session's turn from. */
export const newestRead = 50;

export type ThreadOptions = {
	readonly sessionId: string;
	readonly database: Database;
	readonly safeWrite: SafeWrite;
	readonly clock: Clock;
	/** Of earlier threads of the session. */
	readonly progress?: ThreadProgress;
};

export type ThreadProgress = {
	/** Messages missing from the last read, if any: further reads show whether they were removed. */
	missingMessages?: MissingMessages | undefined;
	/** Changes found by a read that failed halfway. */
	unfinished?: MessageChanges | undefined;
	readonly roles: RoleProgress;
};

/** Options of a poll. `isQuiet`: several polls in a row found nothing; `isActive`: the session is at work. */
type PollOptions = {
	readonly isQuiet?: boolean;
	readonly isActive?: boolean;
	/** Oldest first: called during the first walk with the number of messages read so far. */
	readonly onWalk?: (read: number) => void;
};

/** `isWhole`: the service provided everything requested. `hasOlder`: it has older ones. */
export type NewestMessages = {
	readonly items: readonly TimelineItem[];
	readonly isWhole: boolean;
	readonly hasOlder: boolean;
};

/** One session's messages: what is known of them, and reading the rest. */
export class Thread {
	readonly window: MessageWindow;
	readonly reader: MessageReader;
	readonly roles: RoleReader;
	readonly #clock: Clock;
	/** An earlier run found no way to the beginning: try once more. */
	#triesStartAgain: boolean;

	constructor(options: ThreadOptions) {
		const {sessionId, database, safeWrite, clock, progress} = options;
		this.#clock = clock;
		this.window = new MessageWindow(sessionId, database, safeWrite, progress?.missingMessages);
		this.reader = createMessageReader(this.window, progress?.unfinished);
		this.roles = createRoleReader({
			messageWindow: this.window,
			clock,
			ownIds() {
				const posted = unlessStorageFails(() => database.outbox.ofSession(sessionId)) ?? [];
				return new Set(posted.flatMap(({messageId}) => messageId ?? []));
			},
			...(progress && {progress: progress.roles}),
		});
		const {isCutShort, pageOrder} = this.window.listing;
		this.#triesStartAgain = isCutShort === true && pageOrder === 'newest-first';
	}

	/** The messages in memory, in display order. */
	items(): readonly TimelineItem[] {
		return this.window.timeline.items();
	}

	/** Those of the messages in memory that have these ids, each once. */
	itemsOf(ids: Iterable<string>): readonly TimelineItem[] {
		return [...new Set(ids)].flatMap(id => this.window.timeline.get(id) ?? []);
	}

	poll(
		read: ReadPage,
		{isQuiet = false, isActive = true, onWalk = () => {}}: PollOptions = {},
	): Promise<MessageChanges> {
		return this.reader.poll(read, {now: this.#clock.now(), isQuiet, isActive, onWalk});
	}

	/** Polls, and reads who wrote the messages. Returns those new or changed since the last call, in display order. */
	async update(
		read: ReadPage,
	): Promise<{readonly items: readonly TimelineItem[]; readonly reading: ActivityReading}> {
		const changes = await this.poll(read);
		const resolved = await this.roles.resolve(read, this.items());
		const isChanged = ({id}: TimelineItem) =>
			changes.added.has(id) || changes.changed.has(id) || resolved.has(id);
		return {items: this.items().filter(isChanged), reading: this.readingOf(changes)};
	}

	/** Describes the newest messages after a poll that found these changes. */
	readingOf({added, changed}: MessageChanges) {
		const items = this.items();
		return {
			messages: items.slice(-newestRead),
			isWhole: !this.window.hasOlder && items.length <= newestRead,
			changed: new Set([...added, ...changed]),
			stored: this.window.stored,
		};
	}

	/**
	 * Polls, and returns the newest `count` messages, reading as far back as needed. All of them (`Infinity`) are read
	 * again, as any may have changed.
	 */
	async newest(read: ReadPage, count: number): Promise<NewestMessages> {
		const {window} = this;
		const cached = window.stored.count;
		await this.poll(read);
		if (count === Number.POSITIVE_INFINITY && cached > 0)
			await this.reader.reread(read, cached, createMessageChanges());
		let newest = window.entries().slice(-count);
		while (
			(newest.length < count || newest.some(({kind}) => kind === 'gap')) &&
			(await this.#stepBack(read, count))
		)
			newest = window.entries().slice(-count);
		const ids = newest.flatMap(({kind, id}) => (kind === 'message' ? [id] : []));
		await this.roles.resolve(read, this.itemsOf(ids));
		const {pageOrder, isCutShort = false} = window.listing;
		// Oldest first, a listing that is cut short lacks the newest messages.
		const isShort = isCutShort && pageOrder === 'oldest-first';
		const lacksOldest = newest.length < count && (window.hasUnread || isCutShort);
		return {
			items: this.itemsOf(ids),
			isWhole: ids.length === newest.length && !isShort && !lacksOldest,
			hasOlder: window.hasOlder || window.entries().length > newest.length,
		};
	}

	/**
	 * Fills the newest gap among the last `count` entries, or reads one step further back. False at the
	 * beginning, or when the service makes no progress.
	 */
	async #stepBack(read: ReadPage, count: number): Promise<boolean> {
		const {window, reader} = this;
		const readState = () => JSON.stringify([this.items().length, window.listing.gaps]);
		const before = readState();
		const gap = window
			.entries()
			.slice(-count)
			.findLast(({kind}) => kind === 'gap');
		if (gap) await reader.fillGap(read, gap.id);
		else if (window.hasOlder) {
			if (window.loadOlder() === 0) await reader.readOlder(read);
		} else if (this.#triesStartAgain) {
			this.#triesStartAgain = false;
			addGap(window, {before: this.items()[0]?.id ?? ''});
			await reader.readOlder(read);
		}
		return readState() !== before;
	}
}
