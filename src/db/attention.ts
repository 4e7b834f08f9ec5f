import type {AttentionMark} from '../domain/sessions/attention.ts';
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
		put({sessionId, episode, kind, at, until}: AttentionMark) {
			connection.write('normal', () =>
				connection.run(
					'INSERT INTO attention (session_id, episode, kind, at, until) VALUES (?, ?, ?, ?, ?) ON CONFLICT (session_id) DO UPDATE SET episode = excluded.episode, kind = excluded.kind, at = excluded.at, until = excluded.until',
					sessionId,
					episode,
					kind,
					at,
					until ?? null,
				),
			);
		},
		remove(sessionId) {
			connection.write('normal', () =>
				connection.run('DELETE FROM attention WHERE session_id = ?', sessionId),
			);
		},
	};
}
