import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './errors.ts';

/** Runs a command for at most the seconds that `flag` sets, if any; after that, prints `timedOut` and returns 124. */
export async function withTimeout(
	context: CommandContext,
	run: (context: CommandContext) => Promise<ExitCode>,
	timedOut: (seconds: number) => string,
	flag = 'timeout',
): Promise<ExitCode> {
	const seconds = context.flags.count(flag);
	if (seconds === undefined) return run(context);
	const ending = new AbortController();
	const cancel = context.clock.after(seconds * 1000, () => ending.abort());
	try {
		return await run({...context, signal: AbortSignal.any([context.signal, ending.signal])});
	} catch (error) {
		if (!ending.signal.aborted || context.signal.aborted) throw error;
		context.output.note(timedOut(seconds));
		return exitCodes.timedOut;
	} finally {
		cancel();
	}
}
