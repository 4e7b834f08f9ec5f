/** What the hook events say of one agent session (HOOKS.md, Session state from events). */
export type SignalState =
	| 'idle'
	| 'working'
	| 'needs-permission'
	| 'needs-input'
	| 'done'
	| 'error'
	| 'ended'
	| 'replaced'
	| 'unknown';

/** The last known signal of one agent session, keyed by client and session id. Times are Unix ms. */
export type Signal = {
	readonly client: string;
	readonly sessionId: string;
	readonly state: SignalState;
	/** When this state began. */
	readonly since: number;
	/** `ts` of the newest event that counted. */
	readonly lastEventAt: number;
	readonly lastEvent: string;
	readonly cwd?: string;
	/** The words of the notification or error, raw. */
	readonly message?: string;
	/** Reason of the end. */
	readonly reason?: string;
	/** Background tasks still running when it stopped. */
	readonly background: number;
};

/** Does this state ask for the user? */
export function isNeedsYou(state: SignalState): boolean {
	return state === 'needs-permission' || state === 'needs-input' || state === 'error';
}
