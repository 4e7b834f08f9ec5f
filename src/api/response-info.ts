/**
 * What one response, or its absence, says about the connection, for the header and diagnostics. Contains no
 * address or id.
 */
export type ResponseInfo = {
	/** The endpoint's name, such as `messages.list`. */
	readonly resource: string;
	/** The call succeeded and its response matched the contract. */
	readonly ok: boolean;
	/** Wall time, ms. */
	readonly latency: number;
	/** HTTP status; absent if there was no response. */
	readonly status?: number;
	/** The service's clock minus ours, ms, from the Date header. */
	readonly skewMs?: number;
	/** 429 and 503: nothing will be sent before this time (Unix ms). */
	readonly retryAt?: number;
	/** Why `ok` is false: one of `errors.ts`. */
	readonly error?: unknown;
};
