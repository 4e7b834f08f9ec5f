import type {Database} from '../../db/database.ts';
import {unlessStorageFails} from '../../db/file/storage-error.ts';

export type Table = 'computers' | 'sessions';

type WithId = {readonly id: string};

type Ids = Readonly<Record<Table, ReadonlySet<string>>>;

/** The ids known to be on disk: one that has disappeared was forgotten by another program. */
export class StoredIds {
	readonly #database: Database;
	readonly #firstWriteCount: number | undefined;
	#ids: Record<Table, Set<string>> = {computers: new Set(), sessions: new Set()};
	#isShared = false;

	constructor(database: Database) {
		this.#database = database;
		this.#firstWriteCount = unlessStorageFails(database.peerWriteCount);
	}

	has(table: Table, id: string): boolean {
		return this.#ids[table].has(id);
	}

	add(table: Table, id: string): void {
		this.#ids[table].add(id);
	}

	delete(table: Table, id: string): void {
		this.#ids[table].delete(id);
	}

	/** Takes over what was read of each table. */
	set(computers: readonly WithId[], sessions: readonly WithId[]): void {
		this.#ids = {computers: idsOf(computers), sessions: idsOf(sessions)};
	}

	/** Reads the ids from disk; none if it can't be read. */
	read(): void {
		this.#ids = unlessStorageFails(() => this.#fromDisk()) ?? {computers: new Set(), sessions: new Set()};
	}

	/** Reads the ids again. Returns them with those before; undefined if the file was replaced during the read. */
	reread(): {readonly before: Ids; readonly after: Ids} | undefined {
		const before = this.#ids;
		const after = this.#fromDisk();
		// What is missing from a replaced file was not forgotten; `read` was called since.
		if (this.#ids !== before) return undefined;
		this.#ids = after;
		return {before, after};
	}

	/** Whether another program has forgotten what was on disk. */
	isForgotten(table: Table, id: string): boolean {
		if (!this.has(table, id) || !this.hasPeers()) return false;
		return unlessStorageFails(() => this.#database[table].get(id) === undefined) ?? false;
	}

	/** Whether another program has written to the file, so that the disk must be checked for its changes. */
	hasPeers(): boolean {
		this.#isShared ||= unlessStorageFails(this.#database.peerWriteCount) !== this.#firstWriteCount;
		return this.#isShared;
	}

	#fromDisk(): Record<Table, Set<string>> {
		return {
			computers: new Set(this.#database.computers.ids()),
			sessions: new Set(this.#database.sessions.ids()),
		};
	}
}

const idsOf = (rows: readonly WithId[]) => new Set(rows.map(({id}) => id));
