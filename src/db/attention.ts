import type {Connection} from './connection.ts';
import type {Database} from './database.ts';

export function attentionTable(connection: Connection): Database['attention'] {
	return {
		all: () =>
			connection.all('SELECT session_id, episode, kind, at, until FROM attention').map(row => ({
				sessionId: String(row.session_id),
				episode: String(row.episode),
				kind: row.kind === 'snoozed' ? 'snoozed' : 'acknowledged',
				at: Number(row.at),
				...(row.until !== null && {until: Number(row.until)}),
			})),
		put({sessionId, episode, kind, at, until = null}) {
			const row = {session_id: sessionId, episode, kind, at, until};
			connection.write('normal', () => connection.upsert('attention', ['session_id'], row));
		},
		remove(sessionId) {
			connection.write('normal', () =>
				connection.run('DELETE FROM attention WHERE session_id = ?', sessionId),
			);
		},
	};
}
