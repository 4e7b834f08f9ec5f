import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './errors.ts';

/** Runs a command for at most `--timeout` seconds, if set; after that, prints `timedOut` and returns 124. */
export async function withTimeout(
	context: CommandContext,
	run: (context: CommandContext) => Promise<ExitCode>,
	timedOut: (seconds: number) => string,
): Promise<ExitCode> {
	const seconds = context.flags.count('timeout', {min: 1, max: 10_000_000});
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
