import type {Connection} from './connection.ts';

/** Finds the rows of a table that another program has written or removed. */
export function changedRows(connection: Connection, table: 'computers' | 'sessions') {
	/** Rows as last written or read here, by id. */
	let bodies = new Map<string, string>();
	const bodyOf = (id: string) => connection.get(`SELECT body FROM ${table} WHERE id = ?`, id)?.body;
	return {
		/** Call after each write of this program. */
		written(id: string, body: string): void {
			bodies.set(id, body);
		},
		/** Call after this program removed a row. */
		removed(id: string): void {
			bodies.delete(id);
		},
		/** Whether another program has removed a row that was there. */
		isGone: (id: string): boolean => bodies.has(id) && bodyOf(id) === undefined,
		/** The body of one row if another program has written it since it was last read here. */
		readOne(id: string): string | undefined {
			const body = bodyOf(id);
			if (typeof body !== 'string' || body === bodies.get(id)) return undefined;
			bodies.set(id, body);
			return body;
		},
		readAll(): readonly string[] {
			const rows = connection.all(`SELECT id, body FROM ${table} ORDER BY added_at, id`);
			bodies = new Map(rows.map(({id, body}) => [String(id), String(body)]));
			return [...bodies.values()];
		},
		/** Bodies that another program has written, and ids that it has removed, since they were last read here. */
		readChanges(): {readonly changed: readonly string[]; readonly removed: readonly string[]} {
			const before = bodies;
			this.readAll();
			return {
				changed: [...bodies].filter(([id, body]) => body !== before.get(id)).map(([, body]) => body),
				removed: [...before.keys()].filter(id => !bodies.has(id)),
			};
		},
	};
}
