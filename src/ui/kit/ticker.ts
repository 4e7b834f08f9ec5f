/** The time source of the screen; the engine's clock fits. Times are Unix ms. */
export type TimeSource = {now(): number; after(ms: number, run: () => void): () => void};

/**
 * The one timer of everything on screen that shows time. It runs only while someone waits for a moment, and then
 * sleeps until the earliest: at rest nothing wakes up.
 */
export type Ticker = {
	/** The time that the screen shows now: the same for all panes. */
	now(): number;
	subscribe(listener: () => void): () => void;
	/** Asks for a tick at `at` (Unix ms); replaces what this owner asked before. `undefined`: nothing moves any more. */
	wake(owner: object, at: number | undefined): void;
	/** Takes the present time without waiting for a tick; where motion is unwanted, only once a while has gone by. */
	refresh(): void;
};

/** How long what shows time stands still where motion is unwanted, ms. */
export const stillFor = 15_000;

/** `isStill`: is motion unwanted now? */
export function createTicker(time: TimeSource, isStill: () => boolean = () => false): Ticker {
	const listeners = new Set<() => void>();
	const wanted = new Map<object, number>();
	let shown = time.now();
	let cancel: (() => void) | undefined;
	let dueAt = Number.POSITIVE_INFINITY;

	function arm(): void {
		const next = Math.min(...wanted.values(), Number.POSITIVE_INFINITY);
		if (next === dueAt) return;
		cancel?.();
		cancel = undefined;
		dueAt = next;
		if (next !== Number.POSITIVE_INFINITY) cancel = time.after(Math.max(1, next - time.now()), tick);
	}

	function tick(): void {
		shown = time.now();
		cancel = undefined;
		dueAt = Number.POSITIVE_INFINITY;
		for (const [owner, at] of wanted) if (at <= shown) wanted.delete(owner);
		for (const listener of listeners) listener();
		arm();
	}

	return {
		now: () => shown,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		wake(owner, at) {
			if (at === undefined) wanted.delete(owner);
			else wanted.set(owner, at);
			arm();
		},
		refresh() {
			const now = time.now();
			if (!isStill() || now - shown >= stillFor) shown = now;
		},
	};
}

/** When whole seconds of what runs are drawn again: at the same moments for all of it. Unix ms. */
export function secondAfter(now: number): number {
	return (Math.floor(now / second) + 1) * second;
}

/** The first of the moments that ages of a list share, `at` or after: one by one they would cost a frame each. */
export function nextBeat(at: number): number {
	return Math.ceil(at / youngStep) * youngStep;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How often an age of seconds is brought up to date, ms: nobody needs it finer, and each time costs a frame. */
const youngStep = 5 * second;

/** When an age that began at `since` is drawn again (see `age` in src/text/times.ts). Unix ms. */
export function ageChangesAt(since: number, now: number): number {
	const past = Math.max(0, now - since);
	const step = past < minute ? youngStep : past < hour ? minute : hour;
	return since + (Math.floor(past / step) + 1) * step;
}
