import type {Loaded} from '../../state/organization/organization.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {exactNumber} from '../../text/values/numbers.ts';
import {age, timeOfDay} from '../../text/values/times.ts';

/**
 * The lines above a page: the problem and the age of the data, or, in place of data, how far it is read. Data that is read
 * again has its progress in the border, where it moves nothing. `key` refreshes. `isSaid`: the line at the top of the
 * screen says what the problem is; `waitUntil`: the service wants no requests before that time.
 */
export function stateLines(
	loaded: Loaded<unknown>,
	now: number,
	width: number,
	key: Safe,
	{isSaid = false, waitUntil}: {readonly isSaid?: boolean; readonly waitUntil?: number | undefined} = {},
): Line[] {
	const {data, progress, problem, note} = loaded;
	if (progress) {
		const waits = waitUntil === undefined ? [] : [[waitSpan(waitUntil)]];
		return data === undefined
			? [[span(safe`◌`, 'accent'), span(safe` ${withGroupedDigits(progress)}`, 'dim')], ...waits]
			: [];
	}
	if (problem) {
		const shown = shownText(loaded, now);
		const hint = problem.hint === undefined ? [] : wrapped(cleanLine(problem.hint, 400), width, 4);
		const said = [
			...problemLines(cleanLine(problem.what, 400), width, 4),
			...hint.map((row): Line => [span(safe`  ${row}`, 'dim')]),
		];
		return [
			...(isSaid ? [] : said),
			[
				span(
					safe`  ${shown ? safe`${shown}; ${key} refreshes` : safe`${key} refreshes`}`,
					shown ? 'warn' : 'dim',
				),
			],
		];
	}
	return note === undefined ? [] : [[span(safe`! ${cleanLine(note, 300)}`, 'warn')]];
}

function waitSpan(until: number): Span {
	return span(safe`rate-limited: waits until ${timeOfDay(until)}`, 'warn');
}

function problemLines(problem: Safe, width: number, maxRows: number): Line[] {
	return wrapped(problem, width, maxRows).map(
		(row, index): Line => [span(index === 0 ? safe`✗ ` : safe`  `, 'bad'), span(row, 'bad')],
	);
}

/** Wraps a text that will be indented by two columns. */
function wrapped(text: Safe, width: number, maxRows: number): Safe[] {
	return wrapText(text, Math.max(8, width - 2), maxRows);
}

/** Describes the data that the page still shows after a failed read. */
function shownText({data, readAt, isPart}: Loaded<unknown>, now: number): Safe | undefined {
	if (data === undefined) return undefined;
	if (isPart) return safe`The rest is up to date`;
	return readAt === undefined
		? safe`Showing days that were read earlier`
		: safe`Showing data from ${age(now - readAt)} ago`;
}

/** Like {@link stateLines}, for the joined part: shorter, because the page works without it. */
export function joinedLines({problem, note}: Loaded<unknown>, name: Safe, width: number, key: Safe): Line[] {
	if (problem) {
		const words = cleanLine([problem.what, problem.hint].filter(Boolean).join(' '), 400);
		return problemLines(safe`${name}: ${words} ${key} refreshes.`, width, 3);
	}
	return note === undefined ? [] : [fitLine([span(safe`! ${name}: ${cleanLine(note, 300)}`, 'warn')], width)];
}

/** Groups the digits of the numbers in a text: `reading users: 23,267 rows`. */
function withGroupedDigits(counts: string): Safe {
	return cleanLine(counts.replaceAll(/\d{4,}/g, digits => exactNumber(Number(digits))));
}

/** The data's age, or how far it and the joined part are read again, shown in the border. */
export function ageText(
	loaded: Loaded<unknown>,
	joined: Loaded<unknown> | undefined,
	now: number,
	waitUntil?: number,
): Line {
	const {data, readAt, problem, isPart} = loaded;
	const progress = loaded.progress ?? joined?.progress;
	if (progress && waitUntil !== undefined && data !== undefined) return [waitSpan(waitUntil)];
	if (progress) {
		const words = data === undefined ? safe`reading` : withGroupedDigits(progress);
		return [span(words, 'accent')];
	}
	if (readAt === undefined) return [];
	const read = safe`read ${age(now - readAt)} ago`;
	if (!problem) return [span(read, 'dim')];
	return [span(isPart ? safe`partial, ${read}` : safe`stale, ${read}`, 'warn')];
}
