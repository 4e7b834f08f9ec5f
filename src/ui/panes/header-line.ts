import {lowest} from '../../domain/large-arrays.ts';
import {type Connection, dueAt, freshness, isBlocked, staleAt} from '../../state/connection.ts';
import {type Lists, whyUnknown} from '../../state/lists/lists.ts';
import {shortId} from '../../state/sessions/session-items.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, lineWidth, padLine, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {age, clockTime, timeOfDay} from '../../text/values/times.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {ageChangesAt, secondAfter} from '../kit/ticker.ts';

type HeaderData = {
	readonly profile: string;
	/** Host of the service, and organization, when known. */
	readonly host?: string | undefined;
	readonly organization?: string | undefined;
	/** The user is asked which account the key opens. */
	readonly hasNewKey?: boolean | undefined;
	/** The view, unless it is the Work view; replaces the profile. */
	readonly location?: string | undefined;
	readonly isConnected: boolean;
	readonly counts: Lists['counts'];
	readonly connection: Connection;
	readonly now: number;
	readonly keys: KeyMap;
	/** Reduced motion: shows a time of day instead of a countdown. */
	readonly hasReducedMotion: boolean;
};

/**
 * The header line, exactly `width` columns wide:
 * `quarterdeck  prod     ! 2 need you  12 working  4 idle  1 failed     ● connected`
 */
export function headerLine(data: HeaderData, width: number): Line {
	return headerParts(data, width).line;
}

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
	const {counts, isConnected, connection, now} = data;
	const right: Line = [...connectionText(data, width), span(safe` `)];
	const names = nameForms(data);
	const shortest = names.at(-1) ?? [];
	/** Nothing is counted without a service, nor while it is blocked and nothing is known. */
	const isCounted =
		isConnected &&
		(!isBlocked(connection) || Object.values(counts).some(count => typeof count === 'number' && count > 0));
	const few = isCounted ? countText(counts, 'few', now, connection) : [];
	const needed = isCounted && counts.needs > 0 ? [needsText(counts.needs)] : [];
	const choices: readonly (readonly [Line, Line])[] = [
		[names[0] ?? [], isCounted ? countText(counts, 'all', now, connection) : []],
		...names.map(name => [name, few] as const),
		...names.map(name => [name, needed] as const),
	];
	const [name, middle] = choices.find(
		([left, middle]) => lineWidth(left) + lineWidth(middle) + lineWidth(right) + 4 <= width,
	) ?? [shortest, []];
	return {
		line: padLine(balanced(name, middle, right, width), width),
		name: lineWidth(name),
		right: lineWidth(right),
	};
}

/** Centers the middle on the screen, or as near as its neighbors allow. */
function balanced(left: Line, middle: Line, right: Line, width: number): Line {
	const ideal = Math.floor((width - lineWidth(middle)) / 2);
	const latest = width - lineWidth(right) - lineWidth(middle) - 2;
	const before = padLine(left, Math.max(lineWidth(left) + 2, Math.min(ideal, latest)));
	const rest = width - lineWidth(before) - lineWidth(middle) - lineWidth(right);
	return [...before, ...middle, ...padLine([], rest), ...right];
}

/** The view, or else the program's name; the profile, and whose data it has: the fullest form first. */
function nameForms({profile, host, organization, location}: HeaderData): readonly Line[] {
	// A profile may be named after its address: that is shown once.
	const isHost = host?.replaceAll(/[^\w.-]+/g, '-') === profile;
	const own = cleanLine(isHost ? (host ?? profile) : profile, isHost ? 32 : 24);
	const place = (text: string | undefined) =>
		text === undefined ? [] : [span(safe` · ${cleanLine(text, 32)}`, 'dim')];
	const at = place(isHost ? undefined : host);
	const of = place(organization && shortOrganization(organization));
	const name = span(safe` quarterdeck`, 'heading');
	const here = location === undefined ? undefined : span(cleanLine(location, 14), 'strong');
	const whole = here ? [name, span(safe` › `, 'border'), here] : [name];
	// Whose sessions these are says more than the program's name.
	const short = here ? [span(safe` ‹ `, 'border'), here] : [];
	const spaced = span(safe`  ${own}`, 'dim');
	const profiled = [...short, here ? spaced : span(safe` ${own}`, 'dim')];
	return [
		[...whole, spaced, ...at, ...of],
		[...profiled, ...at, ...of],
		[...profiled, ...at],
		profiled,
		short,
	];
}

/** A name is shown as it is; an id is shortened, and says what it is of. */
function shortOrganization(organization: string): string {
	const [, kind = 'org ', id] = idPattern.exec(organization) ?? [];
	return id === undefined ? organization : `${kind}${shortId(id)}`;
}

/** A UUID or another long id, perhaps behind what it is the id of. */
const idPattern = /^([a-z]+_)?([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=.*\d)[\da-z]{20,})$/i;

function needsText(count: number): Span {
	return span(safe`! ${count} ${count === 1 ? safe`needs` : safe`need`} you`, 'warn', {bold: true});
}

/** `few`: only what needs the user, works or failed. Working sessions that weren't read for long are counted by themselves. */
function countText(counts: Lists['counts'], form: 'all' | 'few', now: number, connection: Connection): Line {
	const {needs, working, workingUntil, idle, failed} = counts;
	const unsure = workingUntil.filter(at => now > at).length;
	const isUnknown = whyUnknown(connection, counts) !== undefined;
	const isOther = working + failed > 0;
	const groups: Line = [
		...(needs > 0 ? [needsText(needs)] : []),
		...(needs === 0 && !isUnknown && !(form === 'few' && isOther)
			? [span(safe`nothing needs you`, 'dim')]
			: []),
		...((form === 'all' && !isUnknown && unsure === 0) || working > unsure
			? [span(safe`${working - unsure} working`, working > 0 ? 'good' : 'dim')]
			: []),
		...(unsure > 0 ? [span(safe`${unsure} working?`, 'dim')] : []),
		...(form === 'all' && !(isUnknown && idle === 0) ? [span(safe`${idle} idle`, 'dim')] : []),
		...(failed > 0 ? [span(safe`✗ ${failed} failed`, 'bad')] : []),
	];
	const gap = span(form === 'all' ? safe`   ` : safe`  `);
	return groups.flatMap((group, index) => (index === 0 ? [group] : [gap, group]));
}

/** Width, in columns, from which a remedy for failed saving is shown. */
const remedyFrom = 110;

/** How long an answer says that the service is there while nothing is polled, ms. */
const currentWithin = 60_000;

/** The connection's state, and what happens next. */
function connectionText(
	{connection, isConnected, hasNewKey, now, keys, hasReducedMotion}: HeaderData,
	width: number,
): Line {
	if (hasNewKey) return [span(safe`◌ new key`, 'dim')];
	if (!isConnected) return [span(safe`○ not set up`, 'dim')];
	const {state, okAt, retryAt, storage, problem, refusal, outage} = connection;
	const isRoomy = width >= 80;
	const isWaiting = retryAt !== undefined && retryAt > now;
	const retryText = (what: Safe) =>
		hasReducedMotion
			? safe`${what} at ${timeOfDay(retryAt)}`
			: safe`${what} in ${age((retryAt ?? now) - now + 999)}`;
	const remedy = storage?.needsRestart && width >= remedyFrom ? safe`: fix it and restart` : safe``;
	const isRepaired = (connection.incidents ?? []).length > 0 && isRoomy;
	const disk: Line = storage
		? [span(safe`! not saved${remedy}  `, 'bad')]
		: isRepaired
			? [span(safe`! data repaired: ${keys.label('view-events')}  `, 'warn')]
			: [];
	switch (state) {
		case 'starting':
			return [...disk, span(safe`◌ starting`, 'dim')];
		case 'quiet':
		case 'polling':
			if (refusal) return [...disk, span(safe`✗ not connected`, 'bad')];
			if (outage) {
				const since = isRoomy ? safe` since ${clockTime(outage.at)}` : safe``;
				return [...disk, span(safe`✗ service failing${since}`, 'bad')];
			}
			if (okAt === undefined) return [...disk, span(safe`◌ connecting`, 'dim')];
			if (state === 'quiet' && now >= okAt + currentWithin)
				return [...disk, span(safe`○ connected ${age(now - okAt)} ago`, 'dim')];
			if (state === 'quiet' || freshness(connection, now) !== 'stale')
				return [...disk, span(safe`● connected`, 'good')];
			return [...disk, span(safe`◌ no answer for ${age(now - dueAt(connection))}`, 'warn')];
		case 'slowed': {
			const retry = isWaiting && isRoomy ? retryText(safe`, next try`) : safe``;
			return [...disk, span(safe`◌ rate-limited${retry}`, 'warn')];
		}
		case 'offline': {
			const since = problem && isRoomy ? safe` since ${clockTime(problem.at)}` : safe``;
			const retry = isRoomy ? (isWaiting ? retryText(safe`, reconnecting`) : safe`, reconnecting…`) : safe``;
			return [...disk, span(safe`✗ offline${since}`, 'bad'), span(retry, 'dim')];
		}
		case 'unauthorized':
			return [...disk, span(safe`✗ key refused`, 'bad')];
	}
}

/** When the header's text next changes over time, Unix ms. */
export function headerChangesAt(
	connection: Connection,
	{workingUntil}: Lists['counts'],
	now: number,
): number | undefined {
	const unsureAt = lowest(workingUntil.filter(at => at >= now)) + 1;
	const next = Math.min(unsureAt, connectionChangesAt(connection, now) ?? Number.POSITIVE_INFINITY);
	return Number.isFinite(next) ? next : undefined;
}

/** When the connection's text next changes, Unix ms: a retry countdown or an age. */
export function connectionChangesAt(connection: Connection, now: number): number | undefined {
	const {state, retryAt, okAt, nextAt} = connection;
	if (state === 'polling' && okAt !== undefined && nextAt !== undefined)
		return freshness(connection, now) === 'stale'
			? ageChangesAt(dueAt(connection), now)
			: staleAt(connection);
	if (state === 'quiet' && okAt !== undefined)
		return now < okAt + currentWithin ? okAt + currentWithin : ageChangesAt(okAt, now);
	const isWaiting = (state === 'offline' || state === 'slowed') && retryAt !== undefined && retryAt > now;
	return isWaiting ? secondAfter(now) : undefined;
}
