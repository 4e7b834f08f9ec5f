import type {Clock} from '../../domain/clock.ts';
import type {CommandContext} from '../cli/context.ts';
import {UsageError} from '../cli/errors.ts';
import type {Flags} from '../cli/parse.ts';
import {cliStrings} from '../cli/strings.ts';
import {createProgress} from '../output/output.ts';
import {strings} from './strings.ts';

const {waits: text} = strings;
const defaultSeconds = 120;

/** How long a sending command waits, ms: `--timeout`, or 0 with `--no-wait`. */
export function timeoutOf(flags: Flags): number {
	const seconds = flags.count('timeout');
	if (!flags.is('no-wait')) return (seconds ?? defaultSeconds) * 1000;
	if (seconds !== undefined) throw new UsageError(cliStrings.usage.conflict('--timeout', '--no-wait'));
	return 0;
}

/** Redraw interval on a terminal, and the delay before a note elsewhere, ms. */
const redrawInterval = 250;
const noteDelay = 5_000;

type WaitContext = Pick<CommandContext, 'clock' | 'output' | 'system'>;

/** Says on stderr why a command waits; may count the time, ms. */
export type WaitNotice = {
	show(reason: (now: number) => string): void;
	end(): void;
};

/** On a terminal a line that counts the seconds, elsewhere a note once the wait is long. */
export function createWaitNotice(context: WaitContext): WaitNotice {
	return context.system.stderr.isTTY ? createWaitLine(context) : createWaitNotes(context);
}

/** A line that counts the seconds, on a terminal only. */
export function createWaitLine({clock, system}: WaitContext): WaitNotice {
	const startedAt = clock.now();
	const progress = createProgress(system.stderr, clock);
	const tell = (reason: string, now: number) =>
		progress.show(text.elapsed(Math.max(0, Math.round((now - startedAt) / 1000)), reason));
	return createNotice(clock, redrawInterval, tell, progress.end);
}

function createWaitNotes({clock, output}: WaitContext): WaitNotice {
	let lastKind: string | undefined;
	return createNotice(clock, noteDelay, reason => {
		// Don't repeat a note in which only the seconds differ.
		const kind = reason.replace(/\d+/g, '');
		if (kind !== lastKind) output.note(text.still(reason));
		lastKind = kind;
	});
}

/** Tells the current reason at each interval, ms. */
function createNotice(
	clock: Clock,
	interval: number,
	tell: (reason: string, now: number) => void,
	atEnd = () => {},
): WaitNotice {
	let reason = (_now: number) => text.unknownReason;
	const tick = () => {
		const now = clock.now();
		tell(reason(now), now);
		cancel = clock.after(interval, tick);
	};
	let cancel = clock.after(interval, tick);
	return {
		show(next) {
			reason = next;
		},
		end() {
			cancel();
			atEnd();
		},
	};
}
