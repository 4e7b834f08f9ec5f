import type {CommandContext} from '../cli/context.ts';
import {UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {cliStrings} from '../cli/strings.ts';
import {createProgress} from '../output/progress.ts';
import {strings} from './strings.ts';

const {waits: text} = strings;
const defaultSeconds = 120;
const maxSeconds = 86_400;

/** How long a sending command waits, ms: `--timeout`, or 0 with `--no-wait`. */
export function timeoutOf(flags: Flags): number {
	const seconds = flags.count('timeout', {min: 0, max: maxSeconds});
	if (!flags.is('no-wait')) return (seconds ?? defaultSeconds) * 1000;
	if (seconds !== undefined) throw new UsageError(cliStrings.usage.conflict('--timeout', '--no-wait'));
	return 0;
}

/** Redraw interval on a terminal, and the delay before a note elsewhere, ms. */
const redrawInterval = 250;
const noteDelay = 5_000;

/**
 * Shows on stderr what a command waits for: on a terminal a line that counts, elsewhere a note once the wait
 * is long.
 */
export function createWaitNotice({clock, output}: Pick<CommandContext, 'clock' | 'output'>) {
	const startedAt = clock.now();
	const progress = createProgress(process.stderr, clock);
	let reason = (_now: number) => text.unknownReason;
	let lastKind: string | undefined;
	let cancel = () => {};
	const tick = () => {
		const now = clock.now();
		const words = reason(now);
		if (process.stderr.isTTY) {
			progress.show(text.elapsed(Math.max(0, Math.round((now - startedAt) / 1000)), words));
			cancel = clock.after(redrawInterval, tick);
			return;
		}
		// Don't repeat a note in which only the seconds differ.
		const kind = words.replace(/\d+/g, '');
		if (kind !== lastKind) output.note(text.still(words));
		lastKind = kind;
		cancel = clock.after(noteDelay, tick);
	};
	cancel = clock.after(process.stderr.isTTY ? redrawInterval : noteDelay, tick);
	return {
		/** Sets the current reason for waiting. */
		show(next: (now: number) => string) {
			reason = next;
		},
		end() {
			cancel();
			progress.end();
		},
	};
}
