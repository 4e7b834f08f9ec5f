import {type Safe, stillSafe} from '../cells/safe.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

/** An age in its largest unit: `38s`, `4m`, `2h`, `3d`. `-` if unknown. Takes ms. */
export function age(ms: number | undefined): Safe {
	if (ms === undefined || !Number.isFinite(ms)) return stillSafe('-');
	const past = Math.max(0, ms);
	if (past < minute) return stillSafe(`${Math.floor(past / second)}s`);
	if (past < hour) return stillSafe(`${Math.floor(past / minute)}m`);
	if (past < 2 * day) return stillSafe(`${Math.floor(past / hour)}h`);
	return stillSafe(`${Math.floor(past / day)}d`);
}

/** A duration: `12.3s`, `1m 05s`, `2h 03m`. `-` if unknown. Takes ms. */
export function duration(ms: number | undefined): Safe {
	if (ms === undefined || !Number.isFinite(ms)) return stillSafe('-');
	const whole = Math.max(0, ms);
	if (whole < minute) return stillSafe(`${(Math.floor(whole / 100) / 10).toFixed(1)}s`);
	if (whole < hour)
		return stillSafe(`${Math.floor(whole / minute)}m ${two(Math.floor((whole % minute) / second))}s`);
	return stillSafe(`${Math.floor(whole / hour)}h ${two(Math.floor((whole % hour) / minute))}m`);
}

/** The duration of something still running, without tenths of a second: `38s`, `1m 05s`, `2h 03m`. Takes ms. */
export function wholeDuration(ms: number | undefined): Safe {
	return ms !== undefined && ms < minute ? age(ms) : duration(ms);
}

/** Local time of day, `14:02`, from Unix ms; `-` if it isn't a time. Avoids Intl: its first use costs 25-45 ms. */
export function clockTime(at: number | undefined): Safe {
	return timeText(at, time => `${two(time.getHours())}:${two(time.getMinutes())}`);
}

/** Local time of day with seconds, `14:02:07`; `-` if it isn't a time. Takes Unix ms. */
export function timeOfDay(at: number | undefined): Safe {
	return timeText(at, secondsOf);
}

/** Local date and time, `2026-11-21 14:02:07`; `-` if it isn't a time. Takes Unix ms. */
export function dateTime(at: number | undefined): Safe {
	return timeText(at, time => `${dayOf(time)} ${secondsOf(time)}`);
}

/** UTC date and time, `2026-11-21 14:02:07 UTC`; `-` if it isn't a time. Takes Unix ms. */
export function utcTime(at: number | undefined): Safe {
	return timeText(at, time => `${time.toISOString().slice(0, 19).replace('T', ' ')} UTC`);
}

/** `2026-11-21T14:02:07.000Z`; undefined if it isn't a time. Takes Unix ms. */
export function isoTime(at: number | undefined): string | undefined {
	const text = timeText(at, time => time.toISOString());
	return text === '-' ? undefined : text;
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'] as const;

/** Local day of the week, `Sat`; `-` if it isn't a time. Takes Unix ms. */
export function weekday(at: number): Safe {
	return timeText(at, time => weekdays[time.getDay()] ?? '-');
}

/** The time of day, `14:02`; with the day of the week unless that is today's. Takes Unix ms. */
export function shortTime(at: number, now: number): Safe {
	const isToday = new Date(at).toDateString() === new Date(now).toDateString();
	return isToday ? clockTime(at) : stillSafe(`${weekday(at)} ${clockTime(at)}`);
}

/** Local calendar day, `Sat 2026-11-21`; `undefined` if it isn't a time. Takes Unix ms. */
export function calendarDay(at: number | undefined): Safe | undefined {
	const text = timeText(at, time => `${weekdays[time.getDay()]} ${dayOf(time)}`);
	return text === '-' ? undefined : text;
}

function timeText(at: number | undefined, textOf: (time: Date) => string): Safe {
	const time = new Date(at ?? Number.NaN);
	return stillSafe(Number.isNaN(time.getTime()) ? '-' : textOf(time));
}

function dayOf(time: Date): string {
	return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
}

function secondsOf(time: Date): string {
	return [time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':');
}

function two(value: number): string {
	return String(value).padStart(2, '0');
}
