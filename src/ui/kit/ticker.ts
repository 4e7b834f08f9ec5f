/** The screen's time source; the engine's clock implements it. Times are Unix ms. */
export type TimeSource = {now(): number; after(ms: number, run: () => void): () => void};

/**
 * The single timer for everything on screen that shows time. Sleeps until the earliest requested moment; runs
 * no timer while nothing is requested.
 */
export type Ticker = {
	/** The time to draw with. A pane that nothing changes shows the one it was drawn with until the next tick. */
	now(): number;
	subscribe(listener: () => void): () => void;
	/** Requests a tick at `at` (Unix ms), replacing this owner's earlier request. `undefined` cancels it. */
	wake(owner: object, at: number | undefined): void;
	/** Updates to the current time without waiting for a tick; with reduced motion, at most every `reducedMotionInterval`. */
	refresh(): void;
};

/** How long displayed times stay unchanged with reduced motion, ms. */
export const reducedMotionInterval = 15_000;

/** `hasReducedMotion`: whether motion should be reduced now. */
export function createTicker(time: TimeSource, hasReducedMotion: () => boolean = () => false): Ticker {
	const listeners = new Set<() => void>();
	const requests = new Map<object, number>();
	let shown = time.now();
	let cancel: (() => void) | undefined;
	let dueAt = Number.POSITIVE_INFINITY;

	function arm(): void {
		const next = Math.min(...requests.values(), Number.POSITIVE_INFINITY);
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
		for (const [owner, at] of requests) if (at <= shown) requests.delete(owner);
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
			if (at === undefined) requests.delete(owner);
			else requests.set(owner, at);
			arm();
		},
		refresh() {
			const now = time.now();
			if (!hasReducedMotion() || now - shown >= reducedMotionInterval) shown = now;
		},
	};
}

/** When running timers are next redrawn (Unix ms): on whole seconds, together. */
export function secondAfter(now: number): number {
	return (Math.floor(now / second) + 1) * second;
}

/** When a time of day next changes. Unix ms. */
export function minuteAfter(now: number): number {
	return (Math.floor(now / minute) + 1) * minute;
}

/**
 * When the first of a list's ages, each with its start, next changes; undefined when there are none. Unix ms. Rounded
 * up to a common time, as separate times would cost a frame each.
 */
export function agesChangeAt(starts: readonly (number | undefined)[], now: number): number | undefined {
	const changes = starts.flatMap(start => (start === undefined ? [] : [ageChangesAt(start, now)]));
	return changes.length === 0 ? undefined : Math.ceil(Math.min(...changes) / secondsStep) * secondsStep;
}

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

/** How often an age in seconds is updated, ms: each update costs a frame. */
const secondsStep = 5 * second;

/** When an age that started at `since` next changes (see `age` in src/text/values/times.ts). Unix ms. */
export function ageChangesAt(since: number, now: number): number {
	const past = Math.max(0, now - since);
	const step = past < minute ? secondsStep : past < hour ? minute : hour;
	return since + (Math.floor(past / step) + 1) * step;
}

/**
 * When the age of what started at `since` last changed, in minutes at most: the time for other ages beside it, which
 * then agree with it and aren't drawn more often. Unix ms.
 */
export function ageChangedAt(since: number, now: number): number {
	const past = Math.max(0, now - since);
	const step = past < minute ? secondsStep : minute;
	return since + Math.floor(past / step) * step;
}
