import type {Connection} from './connection.ts';

/** Ids of a table's rows that are not among the known ones: the bodies of those are not read again. */
export function unknownIds(
	connection: Connection,
	table: 'computers' | 'sessions',
	known: {has(id: string): boolean},
): string[] {
	return connection
		.all(`SELECT id FROM ${table} ORDER BY added_at, id`)
		.map(({id}) => String(id))
		.filter(id => !known.has(id));
}
