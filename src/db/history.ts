import type {Connection} from './file/connection.ts';

/** Maximum number of stored texts per session, and in total. */
const maxTexts = {session: 500, all: 5000} as const;

/** Texts sent from the composers, and drafts that another program's replaced; oldest first, without duplicates. */
export function historyTable(connection: Connection) {
	const texts = (rows: readonly {readonly text?: unknown}[]) => rows.map(({text}) => String(text)).reverse();
	return {
		ofSession: (sessionId: string) =>
			texts(
				connection.all(
					'SELECT text FROM history WHERE session_id = ? ORDER BY sequence DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		ofOthers: (sessionId: string) =>
			texts(
				connection.all(
					'SELECT text, max(sequence) AS newest FROM history WHERE session_id <> ? GROUP BY text ORDER BY newest DESC LIMIT ?',
					sessionId,
					maxTexts.session,
				),
			),
		add(sessionId: string, text: string): void {
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
