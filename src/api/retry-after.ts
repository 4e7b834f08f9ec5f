/** Maximum wait, ms: the longest a timer can hold, about 24 days. */
const maxWait = 2_147_483_000;

/**
 * Parses a Retry-After header, in seconds or as a date, to a wait in ms; undefined if it is missing or
 * invalid. A date is compared with the response's Date header, so that a wrong local clock doesn't shorten
 * the wait.
 */
export function readRetryAfter(header: unknown, now: number, dateHeader: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const value = header.trim();
	if (/^\d+(\.\d+)?$/.test(value)) return Math.min(maxWait, Math.ceil(Number(value) * 1000));
	// Date.parse alone would accept "5 apples" as a date.
	if (!/^[a-z]{3,9},? /i.test(value)) return undefined;
	const until = Date.parse(value);
	if (!Number.isFinite(until)) return undefined;
	const serverNow = typeof dateHeader === 'string' ? Date.parse(dateHeader) : Number.NaN;
	return Math.max(0, Math.min(maxWait, until - (Number.isFinite(serverNow) ? serverNow : now)));
}
