/** The longest wait that is kept, ms: what a timer can hold, about 24 days. */
const maxWait = 2_147_483_000;

/**
 * The wait that a Retry-After header asks for, ms, in either of its forms; nothing when there is none to be read.
 * A date is compared with the answer's own Date header, so that a wrong clock here doesn't shorten the wait.
 */
export function readRetryAfter(header: unknown, now: number, dateHeader: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(maxWait, Math.ceil(Number(value) * 1000));
	// Date.parse alone would take "5 apples" for a month of May.
	if (!/^[a-z]{3,9},? /i.test(value)) return undefined;
	const until = Date.parse(value);
	if (!Number.isFinite(until)) return undefined;
	const serverNow = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
	return Math.max(0, Math.min(maxWait, until - (Number.isFinite(serverNow) ? serverNow : now)));
}
