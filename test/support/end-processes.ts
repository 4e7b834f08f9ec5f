import {listProcesses, readProcVariable} from '../../hooks/proc-stat.ts';
import {eventually} from './eventually.ts';

/** Ends what programs with this home left running: the embedded service, with its agents. Needs /proc. */
export async function endProcesses(home: string): Promise<void> {
	const left = () =>
		listProcesses().filter(({pid}) => pid !== process.pid && readProcVariable(pid, 'HOME') === home);
	const send = (signal: NodeJS.Signals) => {
		for (const {pid} of left())
			try {
				process.kill(pid, signal);
			} catch {
				// It has just ended.
			}
	};
	send('SIGTERM');
	await eventually(() => {
		if (left().length > 0) throw new Error(`still running: ${left().map(({pid}) => pid)}`);
	}).catch(() => send('SIGKILL'));
}
