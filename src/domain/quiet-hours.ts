/** A part of each day, in minutes after midnight by this machine's clock; from later to earlier goes over midnight. */
export type QuietHours = {readonly from: number; readonly to: number};

const span = /^([01]?\d|2[0-3]):([0-5]\d)\s*-\s*([01]?\d|2[0-3]):([0-5]\d)$/;

/** Reads `22:00-07:30`; `undefined` when it is no such span, or an empty one. */
export function parseQuietHours(text: string): QuietHours | undefined {
	const found = span.exec(text.trim());
	if (!found) return undefined;
	const [, fromHour, fromMinute, toHour, toMinute] = found.map(Number);
	const from = (fromHour ?? 0) * 60 + (fromMinute ?? 0);
	const to = (toHour ?? 0) * 60 + (toMinute ?? 0);
	return from === to ? undefined : {from, to};
}

/** Is it quiet at a moment (Unix ms)? The first minute is, the last one is not. */
export function isQuiet({from, to}: QuietHours, now: number): boolean {
	const date = new Date(now);
	const minute = date.getHours() * 60 + date.getMinutes();
	return from < to ? minute >= from && minute < to : minute >= from || minute < to;
}
