import type {DatabaseSync} from 'node:sqlite';
import {analyticsTable} from './analytics.ts';
import {attentionTable} from './attention.ts';
import {computersTable} from './computers.ts';
import {createConnection} from './connection.ts';
import type {Database} from './database.ts';
import {draftsTable} from './drafts.ts';
import {durationsTable} from './durations.ts';
import {eventsTable} from './events.ts';
import {historyTable} from './history.ts';
import {createMessageWatch} from './message-watch.ts';
import {messagesTable} from './messages.ts';
import {openFile, openMemory} from './open-file.ts';
import {outboxTable} from './outbox.ts';
import {isReadable, moveAside, readSalvage, registryTables, typedTables, writeSalvage} from './salvage.ts';
import {sessionsTable} from './sessions.ts';
import {settingsTable} from './settings.ts';
import {adviceFor, isSqliteError, reasonOf} from './storage-error.ts';

/** `file` absolute. `now` (Unix ms) decides when leases end. */
export type DatabaseOptions = {
	readonly file: string;
	readonly now?: () => number;
	/** Why nothing can be kept in its folder, where that is known: said in the place of our own words. */
	readonly folderProblem?: string;
};

/**
 * Opens what is kept, or makes it. Never raises for the state of the disk: a damaged file is moved aside with what the
 * user typed brought over (`notice`), one that can't be written is replaced by memory, and one that a newer program
 * wrote is only read (`problem`).
 */
export function openDatabase({file, now = Date.now, folderProblem}: DatabaseOptions): Database {
	let problem: string | undefined;
	let notice: string | undefined;
	let isUnread = false;

	const openSound = (): DatabaseSync => {
		try {
			const opened = openFile(file);
			problem = opened.problem;
			return opened.handle;
		} catch (error) {
			if (isSqliteError(error) && reasonOf(error) === 'damaged') return repair();
			const why = adviceFor(reasonOf(error), error);
			problem = folderProblem ?? `${file} can't be used, nothing is kept after this run: ${why}`;
			isUnread = !isReadable(file);
			return openInMemory(file);
		}
	};

	const repair = (): DatabaseSync => {
		const salvage = readSalvage(file, [...typedTables, ...registryTables]);
		let aside: string;
		try {
			aside = moveAside(file, now());
		} catch {
			problem = `${file} is damaged and can't be moved aside: nothing is kept after this run. Move it away by hand.`;
			const handle = openMemory();
			writeSalvage(handle, salvage);
			return handle;
		}
		const opened = openFile(file);
		const counts = writeSalvage(opened.handle, salvage);
		problem = opened.problem;
		notice = `Kept data was damaged and is now in ${aside}. Brought over: ${counts.get('outbox') ?? 0} messages of the outbox, ${counts.get('drafts') ?? 0} drafts, ${counts.get('sessions') ?? 0} sessions, ${counts.get('computers') ?? 0} computers.`;
		return opened.handle;
	};

	const connection = createConnection(openSound(), {
		now,
		recover(broken) {
			broken.close();
			return repair();
		},
	});

	const watch = createMessageWatch();

	return {
		get problem() {
			return problem;
		},
		get isUnread() {
			return isUnread;
		},
		get notice() {
			return notice;
		},
		computers: computersTable(connection, settingsTable(connection)),
		sessions: sessionsTable(connection, watch),
		messages: messagesTable(connection, watch),
		outbox: outboxTable(connection),
		drafts: draftsTable(connection),
		history: historyTable(connection),
		events: eventsTable(connection),
		attention: attentionTable(connection),
		durations: durationsTable(connection),
		analytics: analyticsTable(connection),
		settings: settingsTable(connection),
		writesElsewhere: () => Number(connection.get('PRAGMA data_version')?.data_version),
		close: () => connection.close(),
	};
}

/**
 * What is known and what was being written is shown from a file that can only be read. Its outbox is left where it is:
 * a message sent from here would still be queued there, and sent again by the next program that can write.
 */
function openInMemory(file: string): DatabaseSync {
	const handle = openMemory();
	writeSalvage(handle, readSalvage(file, ['draft_attachments', 'drafts', ...registryTables]));
	return handle;
}
