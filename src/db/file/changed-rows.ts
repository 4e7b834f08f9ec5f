import type {Connection} from './connection.ts';

/** Finds the rows of a table that another program has written. */
export function changedRows(connection: Connection, table: 'computers' | 'sessions') {
	/** Rows as last written or read here, by id. */
	let bodies = new Map<string, string>();
	return {
		/** Call after each write of this program. */
		written(id: string, body: string): void {
			bodies.set(id, body);
		},
		/** Bodies that another program has written since the last call; the first call returns all. */
		read(): string[] {
			const rows = connection.all(`SELECT id, body FROM ${table}`);
			const before = bodies;
			bodies = new Map(rows.map(({id, body}) => [String(id), String(body)]));
			return [...bodies].filter(([id, body]) => body !== before.get(id)).map(([, body]) => body);
		},
	};
}
