import {systemClock} from '../../src/sync/clock.ts';
import {startHookReceiver} from '../../src/sync/hook-receiver.ts';

// The real receiver, alone in a process: what the hook's wall time is measured against.
const receiver = await startHookReceiver({
	clock: systemClock,
	onEvents: () => {},
	onProblem: problem => {
		throw problem;
	},
});
process.on('SIGTERM', () => void receiver.close().then(() => process.exit(0)));
process.stdout.write('listening\n');
