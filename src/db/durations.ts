import type {Connection} from './file/connection.ts';

/** Number of latest runs in the median of a step, since machines and installs change. */
const maxRuns = 25;
/** Fewer runs than this say nothing about the usual duration. */
const minRuns = 3;

/** Median durations of past provisioning steps in ms, by step name. */
export function durationsTable(connection: Connection) {
	// Every frame reads this for each step on screen. Other programs' runs show up after our next `add`.
	const medians = new Map<string, number | undefined>();
	function add(stepName: string, ms: number): void {
		medians.delete(stepName);
		connection.write('normal', () => {
			connection.run('INSERT INTO durations (step, ms) VALUES (?, ?)', stepName, ms);
			connection.run(
				'DELETE FROM durations WHERE step = ? AND sequence NOT IN (SELECT sequence FROM durations WHERE step = ? ORDER BY sequence DESC LIMIT ?)',
				stepName,
				stepName,
				maxRuns,
			);
		});
	}

	return {
		add,
		/** Adds runs, each a step's name and ms, in one transaction. */
		addAll(runs: readonly (readonly [stepName: string, ms: number])[]): void {
			connection.write('normal', () => {
				for (const [stepName, ms] of runs) add(stepName, ms);
			});
		},
		/** Undefined with fewer than three runs. */
		median(stepName: string): number | undefined {
			if (!medians.has(stepName)) medians.set(stepName, readMedian(connection, stepName));
			return medians.get(stepName);
		},
	};
}

function readMedian(connection: Connection, stepName: string): number | undefined {
	const sorted = connection
		.all('SELECT ms FROM durations WHERE step = ? ORDER BY ms', stepName)
		.map(row => Number(row.ms));
	const upper = sorted[Math.floor(sorted.length / 2)];
	const lower = sorted[Math.floor((sorted.length - 1) / 2)];
	if (sorted.length < minRuns || upper === undefined || lower === undefined) return undefined;
	return (lower + upper) / 2;
}
