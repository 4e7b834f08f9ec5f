import type {Connection} from './connection.ts';
import type {Database} from './database.ts';

/** Machines and installs change: the median is that of the last so many runs of a step. */
const kept = 25;

export function durationsTable(connection: Connection): Database['durations'] {
	return {
		add(stepName, ms) {
			connection.write('normal', () => {
				connection.run('INSERT INTO durations (step, ms) VALUES (?, ?)', stepName, ms);
				connection.run(
					'DELETE FROM durations WHERE step = ? AND sequence NOT IN (SELECT sequence FROM durations WHERE step = ? ORDER BY sequence DESC LIMIT ?)',
					stepName,
					stepName,
					kept,
				);
			});
		},
		median(stepName) {
			const sorted = connection
				.all('SELECT ms FROM durations WHERE step = ? ORDER BY ms', stepName)
				.map(row => Number(row.ms));
			const upper = sorted[Math.floor(sorted.length / 2)];
			const lower = sorted[Math.floor((sorted.length - 1) / 2)];
			return upper === undefined || lower === undefined ? undefined : (lower + upper) / 2;
		},
	};
}
