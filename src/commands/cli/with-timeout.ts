import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './errors.ts';
import type {Flags} from './parse.ts';

/** Runs a command for at most the seconds that `flag` sets, if any; after that, prints `timedOut` and returns 124. */
export async function withTimeout(
	context: CommandContext,
	run: (context: CommandContext) => Promise<ExitCode>,
	timedOut: (seconds: number) => string,
	flag = 'timeout',
): Promise<ExitCode> {
	const seconds = timeoutFrom(context.flags, flag);
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

/** The seconds that a flag of a wait sets. Throws `UsageError`. */
export function timeoutFrom(flags: Flags, flag: string): number | undefined {
	return flags.count(flag, {min: 1, max: 10_000_000});
}
