import type {Clock} from './clock.ts';

/** Work that repeats and never overlaps itself. */
export type Poll = {
	/** Does it run or wait for its next time? */
	readonly isActive: boolean;
	/** When it runs next (Unix ms), while it waits for that. */
	readonly dueAt: number | undefined;
	/** Runs at once, or once more right after the run under way. */
	now(): void;
	/** Multiplies what is left of the wait. */
	stretch(factor: number): void;
	/** No further run; the one under way is aborted. Resolves when it is over. */
	end(): Promise<void>;
};

/** `run` handles its own errors; it answers the ms until the next run, or nothing to rest until `now`. */
export function createPoll({
	clock,
	run,
	stretch,
	onEnd,
	onChange,
}: {
	readonly clock: Clock;
	readonly run: (signal: AbortSignal) => Promise<number | undefined>;
	readonly stretch: (ms: number) => number;
	readonly onEnd: () => void;
	readonly onChange: () => void;
}): Poll {
	const ending = new AbortController();
	let running: Promise<void> | undefined;
	let isAskedAgain = false;
	let timer: {readonly dueAt: number; readonly cancel: () => void} | undefined;

	function wait(ms: number): void {
		timer?.cancel();
		const cancel = clock.after(ms, () => {
			timer = undefined;
			start();
		});
		timer = {dueAt: clock.now() + ms, cancel};
	}

	function start(): void {
		timer?.cancel();
		timer = undefined;
		running = run(ending.signal).then(
			delay => finish(delay),
			(error: unknown) => {
				finish(undefined);
				if (!ending.signal.aborted) throw error;
			},
		);
	}

	function finish(delay: number | undefined): void {
		running = undefined;
		if (ending.signal.aborted) return;
		if (isAskedAgain) {
			isAskedAgain = false;
			start();
		} else if (delay !== undefined) wait(stretch(delay));
		onChange();
	}

	return {
		get isActive() {
			return running !== undefined || timer !== undefined;
		},
		get dueAt() {
			return timer?.dueAt;
		},
		now() {
			if (ending.signal.aborted) return;
			if (running) isAskedAgain = true;
			else start();
		},
		stretch(factor) {
			if (timer) wait(Math.max(0, timer.dueAt - clock.now()) * factor);
		},
		async end() {
			if (!ending.signal.aborted) onEnd();
			ending.abort();
			timer?.cancel();
			timer = undefined;
			await running?.catch(() => {});
		},
	};
}
