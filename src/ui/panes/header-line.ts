import type {KeyMap} from '../../keys/key-map.ts';
import {type Connection, freshness, isBlocked, staleAt} from '../../state/connection.ts';
import type {Lists} from '../../state/lists.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age, clockTime, timeOfDay} from '../../text/values/times.ts';
import {ageChangesAt, secondAfter} from '../kit/ticker.ts';
import {strings} from './strings.ts';

const words = strings.header;

export type HeaderData = {
	readonly profile: string;
	/** Host of the service, and organization, when known. */
	readonly host?: string | undefined;
	readonly organization?: string | undefined;
	/** The key's account is being checked. */
	readonly isChecking?: boolean;
	/** The view, unless it is the Work view; replaces the profile. */
	readonly location?: string | undefined;
	readonly isConnected: boolean;
	readonly counts: Lists['counts'];
	readonly connection: Connection;
	readonly now: number;
	readonly keys: Pick<KeyMap, 'label'>;
	/** Reduced motion: shows a time of day instead of a countdown. */
	readonly hasReducedMotion: boolean;
	/** For a screen reader: no glyph-only text. */
	readonly isScreenReader?: boolean;
};

/**
 * The header line, exactly `width` columns wide:
 * `quarterdeck  prod     ! 2 need you  12 working  4 idle  1 error     ● connected`
 */
export function headerLine(data: HeaderData, width: number): Line {
	return headerParts(data, width).line;
}

/** The part of the header at a column. */
export function headerPart(
	data: HeaderData,
	width: number,
	column: number,
): 'name' | 'counts' | 'connection' {
	const {line, right, name} = headerParts(data, width);
	if (column < name) return 'name';
	return column < lineWidth(line) - right ? 'counts' : 'connection';
}

/** The line, and the widths of its left and right ends in columns. */
function headerParts(data: HeaderData, width: number): {line: Line; name: number; right: number} {
	const right: Line = [...connectionText(data, width), span(safe` `)];
	const [whole, short, fullest] = nameText(data);
	const {counts, isConnected, connection} = data;
	/** Nothing is counted without a service, nor while it is blocked and nothing is known. */
	const isCounted = isConnected && (!isBlocked(connection) || Object.values(counts).some(count => count > 0));
	const shownCounts = (isWhole: boolean): Line => (isCounted ? countText(counts, isWhole) : []);
	const needs = {needs: counts.needs, working: 0, pending: 0, idle: 0, errors: 0};
	const countsOnly = data.isScreenReader ? countText(needs, false) : countGlyphs(counts);
	const choices: readonly (readonly [Line, Line])[] = [
		[fullest, shownCounts(true)],
		[fullest, shownCounts(false)],
		...(data.isScreenReader ? [] : [[fullest, countsOnly] as const]),
		[whole, shownCounts(true)],
		[whole, shownCounts(false)],
		...(data.isScreenReader ? [] : [[whole, countsOnly] as const]),
		[short, shownCounts(false)],
		[short, countsOnly],
		[short, []],
	];
	const fitting = choices.find(
		([left, middle]) => lineWidth(left) + lineWidth(middle) + lineWidth(right) + 4 <= width,
	);
	const name = fitting ? fitting[0] : short;
	const line = fitting
		? balanced(fitting[0], fitting[1], right, width)
		: padLine([...short, ...right], width);
	return {line, name: lineWidth(name), right: lineWidth(right)};
}

/** Centers the middle on the screen, or as near as its neighbors allow. */
function balanced(left: Line, middle: Line, right: Line, width: number): Line {
	const ideal = Math.floor((width - lineWidth(middle)) / 2);
	const latest = width - lineWidth(right) - lineWidth(middle) - 2;
	const before = padLine(left, Math.max(lineWidth(left) + 2, Math.min(ideal, latest)));
	const rest = width - lineWidth(before) - lineWidth(middle) - lineWidth(right);
	return [...before, ...middle, ...padLine([], rest), ...right];
}

/**
 * The name in three lengths: with the profile or current pane, shortened, and with host and organization too.
 */
function nameText({profile, host, organization, location}: HeaderData): readonly [Line, Line, Line] {
	const name = span(safe` quarterdeck`, 'heading');
	const own = span(safe`  ${cleanLine(profile, 24)}`, 'dim');
	const account = [host, organization].flatMap(part =>
		part === undefined ? [] : [span(safe` · ${cleanLine(part, 32)}`, 'dim')],
	);
	if (location === undefined) return [[name, own], [name], [name, own, ...account]];
	const here = span(cleanLine(location, 14), 'strong');
	const whole = [name, span(safe` › `, 'border'), here];
	const short = [span(safe` ‹ `, 'border'), here];
	return [whole, short, account.length > 0 ? [...whole, own, ...account] : whole];
}

function countText({needs, working, pending, idle, errors}: Lists['counts'], isWhole: boolean): Line {
	const groups: Line = [
		needs > 0 ? span(words.needYou(needs), 'warn', {bold: true}) : span(words.nothingNeedsYou, 'dim'),
		...(isWhole || working > 0 ? [span(words.working(working), working > 0 ? 'good' : 'dim')] : []),
		...(pending > 0 ? [span(words.pending(pending), 'info')] : []),
		...(isWhole ? [span(words.idle(idle), 'dim')] : []),
		...(errors > 0 ? [span(words.errors(errors), 'bad')] : []),
	];
	const gap = span(isWhole ? safe`   ` : safe`  `);
	return groups.flatMap((group, index) => (index === 0 ? [group] : [gap, group]));
}

function countGlyphs({needs, working, pending, errors}: Lists['counts']): Line {
	return [
		...(needs > 0 ? [span(safe`!${needs} `, 'warn', {bold: true})] : []),
		...(working > 0 ? [span(safe`●${working} `, 'good')] : []),
		...(pending > 0 ? [span(safe`◌${pending} `, 'info')] : []),
		...(errors > 0 ? [span(safe`✗${errors}`, 'bad')] : []),
	];
}

/** Width, in columns, from which a remedy for failed saving is shown. */
const remedyFrom = 110;

/** The connection's state, and what happens next. */
function connectionText(
	{connection, isConnected, isChecking, now, keys, hasReducedMotion}: HeaderData,
	width: number,
): Line {
	if (isChecking) return [span(words.checkingKey, 'dim')];
	if (!isConnected) return [span(words.notSetUp, 'dim')];
	const {state, okAt, retryAt, storage, problem, refusal} = connection;
	const isRoomy = width >= 80;
	const isWaiting = retryAt !== undefined && retryAt > now;
	/** With the words for a time of day, and for a countdown. */
	const retryText = (at: (time: Safe) => Safe, within: (time: Safe) => Safe) =>
		hasReducedMotion ? at(timeOfDay(retryAt)) : within(age((retryAt ?? now) - now + 999));
	const remedy = storage?.needsRestart && width >= remedyFrom ? words.restart : safe``;
	const isRepaired = (connection.incidents ?? []).length > 0 && isRoomy;
	const disk: Line = storage
		? [span(safe`${words.notSaved}${remedy}  `, 'bad')]
		: isRepaired
			? [span(safe`${words.repaired(keys.label('view-events'))}  `, 'warn')]
			: [];
	switch (state) {
		case 'starting':
			return [...disk, span(words.starting, 'dim')];
		case 'quiet':
		case 'polling':
			if (refusal) return [...disk, span(words.notTheService, 'bad')];
			if (okAt === undefined) return [...disk, span(words.connecting, 'dim')];
			if (state === 'quiet' || freshness(connection, now) !== 'stale')
				return [...disk, span(words.connected, 'good')];
			return [...disk, span(words.noAnswer(age(now - okAt)), 'warn')];
		case 'slowed': {
			const retry = isWaiting && isRoomy ? retryText(words.nextTryAt, words.nextTryIn) : safe``;
			return [...disk, span(safe`${words.rateLimited}${retry}`, 'warn')];
		}
		case 'offline': {
			const since = problem && isRoomy ? words.since(clockTime(problem.at)) : safe``;
			const retry = isRoomy
				? isWaiting
					? retryText(words.reconnectingAt, words.reconnectingIn)
					: words.reconnecting
				: safe``;
			return [...disk, span(safe`${words.offline}${since}`, 'bad'), span(retry, 'dim')];
		}
		case 'unauthorized':
			return [...disk, span(words.keyRefused, 'bad')];
	}
}

/** When the header's text next changes over time, Unix ms: a retry countdown or an age. */
export function headerChangesAt(connection: Connection, now: number): number | undefined {
	const {state, retryAt, okAt} = connection;
	if (state === 'polling' && okAt !== undefined)
		return freshness(connection, now) === 'stale' ? ageChangesAt(okAt, now) : staleAt(connection);
	const isWaiting = (state === 'offline' || state === 'slowed') && retryAt !== undefined && retryAt > now;
	return isWaiting ? secondAfter(now) : undefined;
}
