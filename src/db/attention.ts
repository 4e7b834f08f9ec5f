import type {AttentionMark, Subject} from '../domain/sessions/attention.ts';
import type {Connection} from './file/connection.ts';

const tables = {
	session: {name: 'attention', key: 'session_id'},
	computer: {name: 'computer_attention', key: 'computer_id'},
} as const;
const kinds = Object.keys(tables) as Subject['kind'][];

/** The user's acknowledgments and snoozes: one mark per session or computer. */
export function attentionTable(connection: Connection) {
	return {
		all: () => kinds.flatMap(kind => marksOf(connection, kind)),
		put({subject, episode, kind, at, until}: AttentionMark): void {
			const {name, key} = tables[subject.kind];
			const row = {[key]: subject.id, episode, kind, at, until: until ?? null};
			connection.write('normal', () => connection.upsert(name, [key], row));
		},
		remove({kind, id}: Subject): void {
			const {name, key} = tables[kind];
			connection.write('normal', () => connection.run(`DELETE FROM ${name} WHERE ${key} = ?`, id));
		},
	};
}

function marksOf(connection: Connection, kind: Subject['kind']): AttentionMark[] {
	const {name, key} = tables[kind];
	return connection.all(`SELECT ${key} AS id, episode, kind, at, until FROM ${name}`).map(row => ({
		subject: {kind, id: String(row.id)},
		episode: String(row.episode),
		kind: row.kind === 'snoozed' ? 'snoozed' : 'acknowledged',
		at: Number(row.at),
		until: row.until === null ? undefined : Number(row.until),
	}));
}
