const isoPattern = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;
const maxInstant = 8.64e15;

/**
 * Converts a service time to Unix ms. A number of at least 1e11 is milliseconds, one of at least 1e9 is
 * seconds; a string is ISO 8601, in UTC unless it names a zone. Returns undefined for anything else, so that
 * 1970 or NaN is never shown.
 */
export function instantOf(value: unknown): number | undefined {
	if (typeof value === 'number') {
		if (value >= 1e11) return value <= maxInstant ? Math.trunc(value) : undefined;
		return value >= 1e9 ? Math.trunc(value * 1000) : undefined;
	}
	if (typeof value !== 'string' || !isoPattern.test(value)) return undefined;
	const hasZone = value.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
	const ms = Date.parse(hasZone ? value : `${value}Z`);
	return ms >= 1e11 && ms <= maxInstant ? ms : undefined;
}

const day = 86_400_000;

/** The UTC day of an instant (Unix ms), YYYY-MM-DD. */
export function utcDayOf(instant: number): string {
	return new Date(instant).toISOString().slice(0, 10);
}

/** Adds `days` (may be negative) to a YYYY-MM-DD date. */
export function addDays(date: string, days: number): string {
	return utcDayOf(Date.parse(`${date}T00:00:00Z`) + days * day);
}

/** Whether the string is a valid calendar date in YYYY-MM-DD form (2026-02-30 is not). */
export function isRealDay(value: string): boolean {
	if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
	const ms = Date.parse(`${value}T00:00:00Z`);
	return Number.isFinite(ms) && utcDayOf(ms) === value;
}

const dateTime =
	/^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Whether the string is an ISO 8601 date-time with a zone and a valid calendar date. */
export function isDateTime(value: string): boolean {
	const [, date = ''] = dateTime.exec(value) ?? [];
	return isRealDay(date);
}
