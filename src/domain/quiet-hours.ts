/** A daily time span, in minutes after midnight, local time; spans midnight if `from` is later than `to`. */
export type QuietHours = {readonly from: number; readonly to: number};

const span = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/;

/** Parses `22:00-07:30`; undefined if the text is not a time span, or the span is empty. */
export function parseQuietHours(text: string): QuietHours | undefined {
	const found = span.exec(text.trim());
	if (!found) return undefined;
	const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number);
	const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0);
	const to = (toHour ?? 0) * 60 + (toMinute ?? 0);
	return from === to ? undefined : {from, to};
}

/** Whether `now` (Unix ms) falls within the quiet hours, start inclusive, end exclusive. */
export function isQuiet({from, to}: QuietHours, now: number): boolean {
	const date = new Date(now);
	const minute = date.getHours() * 60 + date.getMinutes();
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
