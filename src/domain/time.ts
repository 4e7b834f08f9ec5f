const iso = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?)?$/i;
const latest = 8.64e15;

/**
 * Converts a time from the service to Unix ms. A number of at least 1e11 is milliseconds, one of at least 1e9 seconds;
 * a string is ISO 8601, in UTC unless it names a zone. Undefined for anything else, so that the screen never shows 1970
 * or NaN.
 */
export function instantOf(value: unknown): number | undefined {
	if (typeof value === 'number') {
		if (value >= 1e11) return value <= latest ? Math.trunc(value) : undefined;
		return value >= 1e9 ? Math.trunc(value * 1000) : undefined;
	}
	if (typeof value !== 'string' || !iso.test(value)) return undefined;
	const hasZone = value.length <= 10 || /(?:Z|[+-]\d\d:?\d\d)$/i.test(value);
	const ms = Date.parse(hasZone ? value : `${value}Z`);
	return ms >= 1e11 && ms <= latest ? ms : undefined;
}

const day = 86_400_000;

/** The UTC day of an instant (Unix ms), YYYY-MM-DD. */
export function utcDayOf(instant: number): string {
	return new Date(instant).toISOString().slice(0, 10);
}

/** `days` after a YYYY-MM-DD day (before it when negative). */
export function addDays(date: string, days: number): string {
	return utcDayOf(Date.parse(`${date}T00:00:00Z`) + days * day);
}

/** Is this a day of the calendar, written YYYY-MM-DD? 2026-02-30 is not. */
export function isRealDay(value: string): boolean {
	if (!/^\d{4}-\d\d-\d\d$/.test(value)) return false;
	const ms = Date.parse(`${value}T00:00:00Z`);
	return Number.isFinite(ms) && utcDayOf(ms) === value;
}

const dateTime =
	/^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:0\d|1[0-4]):[0-5]\d)$/;

/** Is this a date and time of ISO 8601 that names its zone, on a day of the calendar? */
export function isDateTime(value: string): boolean {
	const [, date = ''] = dateTime.exec(value) ?? [];
	return isRealDay(date);
}
