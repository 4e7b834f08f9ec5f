import {systemClock} from '../../src/domain/clock.ts';
import {startHookReceiver} from '../../src/hook-listeners/hook-receiver.ts';

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
