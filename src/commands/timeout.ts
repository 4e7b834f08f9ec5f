import type {Flags} from './parse.ts';
import {UsageError} from './usage-error.ts';

const usual = 120;
const maxSeconds = 86_400;

/** How long a sending command waits, ms: `--timeout`, or 0 with `--no-wait`. */
export function timeoutOf(flags: Flags): number {
	const seconds = flags.count('timeout', {min: 0, max: maxSeconds});
	if (!flags.is('no-wait')) return (seconds ?? usual) * 1000;
	if (seconds !== undefined) throw new UsageError("--timeout and --no-wait can't be used together");
	return 0;
}
