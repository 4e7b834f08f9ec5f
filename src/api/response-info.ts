/** What one answer, or its absence, says of the connection. For the header and diagnostics; holds no address or id. */
export type ResponseInfo = {
	/** What was called, such as `messages.list`. */
	readonly resource: string;
	/** A success of the shape the contract has. */
	readonly ok: boolean;
	/** Wall time, ms. */
	readonly latency: number;
	/** HTTP status; absent when no answer came. */
	readonly status?: number;
	/** The service's clock minus ours, ms, from the Date header. */
	readonly skewMs?: number;
	/** 429 and 503: nothing will be sent before this time (Unix ms). */
	readonly retryAt?: number;
	/** Why `ok` is false: one of `errors.ts`. */
	readonly error?: unknown;
};
