const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const minute = 60_000;
const day = 24 * 60 * minute;

/** `…limit reached|1782912000`, as older releases of Claude Code end it; seconds or ms. */
const stamped = /limit[^|]*\|(\d{10})(\d{3})?\b/i;
/** `resets 3pm (Europe/Berlin)`, `resets Oct 9, 3:30pm`, `resets at 15:30`. */
const named =
	/\bresets?(?: at| on)?\s+(?:([a-z]{3})[a-z]*\.? (\d{1,2}),?(?: at)? )?(\d{1,2})(?::(\d\d))?\s?([ap]m)?(?:\s*\(([\w+/-]+)\))?/i;

/**
 * When the usage limit that a client's error tells of ends, Unix ms; undefined if it tells of none, or not until when.
 * `at`: when it was written. A client names times of its machine's zone, which is known only for this machine
 * (`isHere`): Intl knows the others, but takes 25-45 ms. A date without a time, as of a spend limit, is no end.
 *
 * The sentences are those in the program of Claude Code 2.1.332 (`You've hit your …`, ` · resets …`).
 */
export function limitEnd(text: string, at: number, isHere: boolean): number | undefined {
	if (!/limit/i.test(text)) return undefined;
	const [, seconds] = stamped.exec(text) ?? [];
	if (seconds !== undefined) return Number(seconds) * 1000;
	const clock = named.exec(text);
	const isUtc = /^(?:UTC|GMT)$/i.test(clock?.[6] ?? '');
	return clock && (isUtc || isHere) ? clockEnd(clock, at, isUtc) : undefined;
}

/** The next time after `at` that a clock shows this. */
function clockEnd(
	[, month, date, hour, minutes = '0', half]: RegExpExecArray,
	at: number,
	isUtc: boolean,
): number | undefined {
	// A bare number is no time of day.
	if (half === undefined && minutes === '0') return undefined;
	const from = wallClock(at, isUtc);
	const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0);
	if (hours > 23 || Number(minutes) > 59) return undefined;
	const wall = new Date(from);
	wall.setUTCHours(hours, Number(minutes), 0, 0);
	const monthIndex = months.indexOf((month ?? '').toLowerCase());
	if (month !== undefined && monthIndex < 0) return undefined;
	if (month !== undefined) {
		wall.setUTCMonth(monthIndex, Number(date));
		if (wall.getTime() < from - day) wall.setUTCFullYear(wall.getUTCFullYear() + 1);
	} else if (wall.getTime() < from) wall.setTime(wall.getTime() + day);
	return at + wall.getTime() - from;
}

/** What clocks show at a time, as if it were UTC. */
function wallClock(at: number, isUtc: boolean): number {
	return isUtc ? at : at - new Date(at).getTimezoneOffset() * minute;
}
