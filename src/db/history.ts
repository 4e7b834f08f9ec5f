import type {Connection} from './connection.ts';
import type {Database} from './database.ts';

/** Maximum number of stored texts per session, and in total. */
const maxTexts = {session: 500, all: 5000} as const;

export function historyTable(connection: Connection): Database['history'] {
	const texts = (rows: readonly {readonly text?: unknown}[]) => rows.map(({text}) => String(text)).reverse();
	return {
		ofSession: sessionId =>
			texts(
				connection.all(
					'SELECT text FROM history WHERE session_id = ? ORDER BY sequence DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		ofOthers: sessionId =>
			texts(
				connection.all(
					'SELECT text, max(sequence) AS newest FROM history WHERE session_id <> ? GROUP BY text ORDER BY newest DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		add(sessionId, text) {
			connection.write('normal', () => {
				connection.run('DELETE FROM history WHERE session_id = ? AND text = ?', sessionId, text);
				connection.run('INSERT INTO history (session_id, text) VALUES (?, ?)', sessionId, text);
				connection.run(
					'DELETE FROM history WHERE sequence <= (SELECT max(sequence) FROM history) - ?',
					maxTexts.all,
				);
			});
		},
	};
}
