import type {CommandContext} from './context.ts';
import {createProgress} from './progress.ts';

/** What a command waits for, on stderr: a line that counts on a terminal, elsewhere a note once it takes long. */
export type WaitNotice = {
	/** What is waited for now. */
	show(text: (now: number) => string): void;
	end(): void;
};

/** Between two drawings on a terminal, and until a wait is worth a note elsewhere, ms. */
const drawEvery = 250;
const noteAfter = 5_000;

export function createWaitNotice({clock, output}: Pick<CommandContext, 'clock' | 'output'>): WaitNotice {
	const startedAt = clock.now();
	const progress = createProgress(process.stderr, clock);
	let waitsFor = (_now: number) => 'waiting for the service';
	let noted: string | undefined;
	let cancel = () => {};
	const tick = () => {
		const now = clock.now();
		const text = waitsFor(now);
		if (process.stderr.isTTY) {
			progress.show(`${Math.max(0, Math.round((now - startedAt) / 1000))} s: ${text}`);
			cancel = clock.after(drawEvery, tick);
			return;
		}
		// The same wait with another number of seconds is no news.
		const kind = text.replace(/\d+/g, '');
		if (kind !== noted) output.note(`still waiting: ${text}`);
		noted = kind;
		cancel = clock.after(noteAfter, tick);
	};
	cancel = clock.after(process.stderr.isTTY ? drawEvery : noteAfter, tick);
	return {
		show(text) {
			waitsFor = text;
		},
		end() {
			cancel();
			progress.end();
		},
	};
}
