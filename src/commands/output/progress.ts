import type {Clock} from '../../domain/clock.ts';
import {cleanLine} from '../../text/cells/clean.ts';

type ProgressStream = {readonly isTTY?: boolean | undefined; write(text: string): unknown};

/** Minimum time between redraws, ms. */
const redrawInterval = 100;

/** Progress of a long read on stderr, as one line that redraws itself. Shown on a terminal only. */
export function createProgress(stream: ProgressStream, clock: Clock) {
	// A short read shows no progress.
	let lastAt = clock.now();
	let isShown = false;
	return {
		show(text: string) {
			const now = clock.now();
			if (stream.isTTY !== true || now - lastAt < redrawInterval) return;
			lastAt = now;
			stream.write(`\r${cleanLine(text, 78)}\x1b[K`);
			isShown = true;
		},
		end() {
			if (isShown) stream.write('\r\x1b[K');
			isShown = false;
		},
	};
}
