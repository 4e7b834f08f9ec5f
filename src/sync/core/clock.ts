import {systemTiming} from '../../api/http/timing.ts';

/** The engine's only source of time and timers, so that tests can control it. Times are Unix ms. */
export type Clock = {
	now(): number;
	/** Calls `run` once after `ms`; the returned function cancels it. */
	after(ms: number, run: () => void): () => void;
};

export const systemClock: Clock = systemTiming;
