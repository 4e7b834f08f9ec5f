import {join} from 'node:path';
import type {Account} from '../domain/accounts/account.ts';
import {accountsTable} from './accounts.ts';
import {analyticsTable} from './analytics.ts';
import {attentionTable} from './attention.ts';
import {cacheTable} from './cache.ts';
import type {Database, Machine, OpenAccount} from './database.ts';
import {draftsTable, historyTable} from './drafts.ts';
import {durationsTable} from './durations.ts';
import {eventsTable} from './events.ts';
import {createConnection} from './file/connection.ts';
import {openDatabaseFile} from './file/database-file.ts';
import {unlessStorageFails} from './file/storage-error.ts';
import {onNextWrite} from './file/watch-file.ts';
import {MessageWatch} from './messages/message-watch.ts';
import {messagesTable} from './messages/messages.ts';
import {outboxTable} from './outbox.ts';
import {computersTable, sessionsTable} from './registry.ts';
import {incidentsTable, settingsTable} from './settings.ts';

/** `file` is absolute. `now` returns Unix ms and decides when leases end. */
type DatabaseOptions = {
	readonly file: string;
	readonly now?: () => number;
	/** Why nothing can be saved in the file's folder, if known: replaces the generic message. */
	readonly folderProblem?: string | undefined;
	/** Whether the file's account was forgotten: then nothing is written to disk any more. */
	readonly isForgotten?: () => boolean;
	/** Without a file, works in memory. */
	readonly onlyReads?: boolean | undefined;
};

/**
 * Opens the database, creating it if necessary. Never throws because of the file's state: a damaged file is
 * moved aside and the user's typed data is salvaged (`incidents`); one that can't be written, or is a newer program's, is
 * replaced by an in-memory database (`problem`).
 */
export function openDatabase({
	file,
	now = Date.now,
	folderProblem,
	isForgotten = () => false,
	onlyReads = false,
}: DatabaseOptions): Database & Pick<Machine, 'accounts' | 'onlyReads'> {
	let replacements = 0;
	const listeners = new Set<() => void>();

	/** Stores repairs in the sound file, so they stay visible until the user acknowledges them. */
	function recordRepairs(): void {
		for (const what of opened.takeRepairs()) unlessStorageFails(() => incidents.add({at: now(), what}));
	}

	function reportChange(): void {
		for (const listener of listeners) listener();
	}

	const opened = openDatabaseFile({
		file,
		now,
		folderProblem,
		isForgotten,
		onlyReads,
		onChange() {
			replacements++;
			recordRepairs();
			reportChange();
		},
	});
	const connection = createConnection(opened.handle, {now, guard: opened.guard});
	const settings = settingsTable(connection);
	const incidents = incidentsTable(connection, settings);
	const history = historyTable(connection);
	const watch = new MessageWatch();
	recordRepairs();

	return {
		onlyReads,
		get problem() {
			return opened.problem;
		},
		get isPartial() {
			return opened.isPartial;
		},
		accounts: accountsTable(connection),
		incidents: {
			...incidents,
			add(incident) {
				incidents.add(incident);
				reportChange();
			},
		},
		onChange(listener) {
			listeners.add(listener);
			return () => {
				listeners.delete(listener);
			};
		},
		computers: computersTable(connection, settings),
		sessions: sessionsTable(connection, watch),
		messages: messagesTable(connection, watch),
		cache: cacheTable(connection, watch),
		outbox: outboxTable(connection),
		drafts: draftsTable(connection, history),
		history,
		events: eventsTable(connection),
		attention: attentionTable(connection),
		durations: durationsTable(connection),
		analytics: analyticsTable(connection),
		settings,
		peerWriteCount() {
			connection.check();
			// Another file may hold other rows, and counts from the start.
			return replacements * 2 ** 32 + Number(connection.get('PRAGMA data_version')?.data_version);
		},
		onNextWrite: onWrite => onNextWrite(file, onWrite),
		close: () => connection.close(),
	};
}

/** Opens an account's own file. Once the account is forgotten, nothing is written there any more. */
export function openAccountFile(
	{accounts, onlyReads}: Machine,
	stateFolder: string,
	{id, file, createdAt}: Account,
	folderProblem?: string,
): Database {
	// Two accounts have fixed ids: a forgotten one may be there again, as a new one.
	const isForgotten = () => unlessStorageFails(() => accounts.get(id)?.createdAt !== createdAt) ?? false;
	return openDatabase({file: join(stateFolder, file), folderProblem, isForgotten, onlyReads});
}

/** One account's data plus the machine's hook events. The caller still owns `machine` and closes it. */
export function accountDatabase(own: Database, machine: Machine, account: OpenAccount): Database {
	const events: Database['events'] = {
		...machine.events,
		// Sessions discovered through events belong to the account: one transaction per file, not per event.
		together: run => own.events.together(() => machine.events.together(run)),
	};
	/** Starts something at both files; the returned function ends it. */
	const both = (start: (one: Pick<Database, 'onNextWrite' | 'onChange'>) => () => void) => {
		const ends = [own, machine].map(start);
		return () => {
			for (const end of ends) end();
		};
	};
	const shared: Partial<Database> = {
		get problem() {
			return own.problem ?? machine.problem;
		},
		get isPartial() {
			return own.isPartial || machine.isPartial || false;
		},
		account,
		events,
		incidents: {
			add: machine.incidents.add,
			all: () => [...machine.incidents.all(), ...own.incidents.all()].sort((a, b) => a.at - b.at),
			acknowledge() {
				machine.incidents.acknowledge();
				own.incidents.acknowledge();
			},
		},
		peerWriteCount: () => own.peerWriteCount() + machine.peerWriteCount(),
		onNextWrite: onWrite => both(({onNextWrite}) => onNextWrite(onWrite)),
		onChange: listener => both(({onChange}) => onChange(listener)),
	};
	// Everything else comes from the account's database, including getters that change while it is open.
	return Object.create(own, Object.getOwnPropertyDescriptors(shared));
}
