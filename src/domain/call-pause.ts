/** Something the user is to be called for, about one session. */
export type Call = {
	readonly sessionId: string;
	/** Is the user needed? Else it is only told, for those who want to know. */
	readonly isNeed: boolean;
	/** What the session does, in words that follow its name: `needs you`. */
	readonly what: string;
	/** In its own words, raw. */
	readonly words: string;
};

/** How long nobody is called again after a call, ms. */
export const pauseAfterCall = 5_000;

/** The calls that wait for the end of the pause, the newest of each session; absent while no pause is on. */
export type Held = ReadonlyMap<string, Call> | undefined;

/** What is to be told now, as one call, and what waits then. A pause begins, or goes on, while `held` is there. */
export type Called = {readonly held: Held; readonly told: readonly Call[]};

/**
 * The first call after a rest is told at once. What comes in the pause after it waits for the pause's end, however
 * many there are: agents that ask all at once call once and then once more, and none is lost. Nothing here reads a
 * clock, so that one that jumps keeps no call back.
 */
export function addCall(held: Held, call: Call): Called {
	if (!held) return {held: new Map(), told: [call]};
	const others = [...held].filter(([sessionId]) => sessionId !== call.sessionId);
	return {held: new Map([...others, [call.sessionId, call]]), told: []};
}

/** A pause is over. What nobody need be called for any more is let go; if something is told, the next pause begins. */
export function endPause(held: Held, isDue: (call: Call) => boolean): Called {
	const told = [...(held?.values() ?? [])].filter(isDue);
	return {held: told.length > 0 ? new Map() : undefined, told};
}
