import {maskText} from '../../domain/masking.ts';
import {failureText, needyLook} from '../../state/computers/computer-look.ts';
import {isWaiting, type NeedsItem} from '../../state/lists/lists.ts';
import type {Grouping} from '../../state/sessions/session-groups.ts';
import {isLimited, lastActivityOf, type SessionItem, shortId} from '../../state/sessions/session-items.ts';
import {
	draftMark,
	isStuck,
	type Look,
	queuedMark,
	sessionLook,
	spinnerAt,
	turnStart,
	unreadCount,
} from '../../state/sessions/session-look.ts';
import {isUnsure} from '../../state/sessions/session-state.ts';
import {alsoIn} from '../../state/sessions/shared-files.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, lineWidth, padLine, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {changedLines} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import {agesChangeAt, secondAfter} from '../kit/ticker.ts';

export type RowOptions = {
	readonly width: number;
	readonly now: number;
	/** Whether the row has a second line. */
	readonly isDetailed: boolean;
	readonly hasDraft: boolean;
	/** What the headings show, which rows then leave out. */
	readonly grouping: Grouping;
	/** Whether the rows are on several computers: each then says which one it is on, if there is room. */
	readonly hasComputers: boolean;
	/** Whether the spinner doesn't turn. */
	readonly isSpinnerStill: boolean;
	/** For a screen reader: the word is always there, as glyphs aren't read. */
	readonly isScreenReader: boolean;
};

const glyphWidth = 2;
const ageWidth = 3;
/** Minimum columns of a title beside other texts, unless it is shorter. */
const titleMin = 24;
/** Minimum columns of a reason; a shorter one is useless. */
const reasonMin = 8;
/** Minimum columns of a title beside a word that appears nowhere else in the row. */
const titleMinBesideWord = 12;
/** Minimum columns of a title beside the mark of a draft and the number of unread messages, unless it is shorter. */
const titleMinBesideMarks = 12;
const wordMax = 23;
/** Columns of a computer that is cut, and of any. */
const [computerMin, computerMax] = [6, 12] as const;
/** Minimum columns of a tag or a tool. */
const extraMin = 4;
/** Minimum columns of a failure's text. */
const failureMin = 10;
/** Minimum columns of the words on the second line, which give up room for branch, folder and the like. */
const wordsMin = 32;

/**
 * The row of a session, or of a failed computer, at most `width` columns wide, in one or two lines:
 *
 *     ! Fix the flaky login test      3  12m
 *       reply · Which one do you want?
 */
export function itemRow(item: NeedsItem, options: RowOptions): readonly Line[] {
	const {isDetailed, width} = options;
	const first = titleLine(item, options);
	return isDetailed ? [first, [span(safe`  `), ...detailLine(item, width - glyphWidth, options)]] : [first];
}

/**
 * The first line: title, marks of a queued message and a draft, unread messages and age, and whatever else has room beside
 * the whole title: first the reason, then the computer.
 */
function titleLine(item: NeedsItem, options: RowOptions): Line {
	const {width, isDetailed, now} = options;
	const tone = isQuiet(item, now) ? 'warn' : lookOf(item, now).tone;
	const title = titleSpans(item, options);
	const room = Math.max(4, width - glyphWidth - ageWidth - 1);
	const titleWanted = Math.min(lineWidth(title), isWordNeeded(item, options) ? titleMinBesideWord : titleMin);
	const titleKept = Math.min(lineWidth(title), titleMinBesideMarks);
	const unread = unreadSpans(item, room - titleKept);
	const draft = draftSpans(options, room - titleKept - lineWidth(unread));
	const queued = queuedSpans(item, room - titleKept - lineWidth([...draft, ...unread]));
	const marks = [...queued, ...draft, ...unread];
	const left = room - lineWidth(marks);
	const reason = isDetailed ? safe`` : reasonOf(item, options);
	const wordRoom =
		reason === '' ? left - titleWanted : left - lineWidth(title) - textWidth(reason) - gapWidth;
	const word = isDetailed ? [] : wordSpans(item, options, wordRoom);
	const besideTitle =
		left - lineWidth([...word, ...title]) - (reason === '' ? 0 : textWidth(reason) + reasonGapWidth);
	const name = isDetailed ? safe`` : ownComputer(item, options, besideTitle - 2);
	const computer = name === '' ? [] : [span(safe`  ${name}`, 'dim')];
	const textRoom = left - lineWidth([...word, ...computer]);
	const beside = textRoom - lineWidth(title);
	const hasReason = reason !== '' && beside - reasonGapWidth >= Math.min(reasonMin, textWidth(reason));
	const extra = hasReason
		? [span(cutEnd(safe`  ${reason}`, beside), 'dim')]
		: extraSpans(item, beside, isDetailed);
	return [
		span(glyphOf(item, options), tone, {bold: isWaiting(item)}),
		span(safe` `),
		...padLine([...cutTitle(title, textRoom), ...extra], textRoom),
		...word,
		...computer,
		...marks,
		span(safe` `),
		span(pad(ageOf(item, options.now), ageWidth, 'end'), isQuiet(item, options.now) ? 'warn' : 'dim'),
	];
}

function titleSpans(item: NeedsItem, {grouping}: RowOptions): Line {
	if (item.kind === 'computer') return [span(cleanLine(item.name))];
	const {group, state} = item;
	const isDim = group === 'ended' || group === 'seen' || state === 'unknown';
	return [...markOf(item), span(rowName(item, grouping), isDim ? 'dim' : undefined)];
}

function cutTitle(title: Line, width: number): Line {
	const before = title.slice(0, -1);
	const name = title.at(-1);
	return name ? [...before, {...name, text: cutEnd(name.text, width - lineWidth(before))}] : before;
}

/** The mark of a pinned session, and the client of one that runs on this machine. */
function markOf({isPinned, client, known, signal}: SessionItem): Line {
	return [
		...(isPinned ? [span(safe`◆ `, 'accent')] : []),
		// Without a name of its own, its name begins with the client.
		...(client !== undefined && (known?.name ?? signal?.title) !== undefined
			? [span(safe`${cleanLine(client, 12)} `, 'info')]
			: []),
	];
}

function draftSpans({hasDraft}: RowOptions, room: number): Line {
	const mark = span(safe` ${draftMark}`, 'info');
	return hasDraft && lineWidth([mark]) <= room ? [mark] : [];
}

function queuedSpans(item: NeedsItem, room: number): Line {
	const mark = span(safe` ${queuedMark}`, 'warn');
	return item.kind === 'session' && item.hasQueued && lineWidth([mark]) <= room ? [mark] : [];
}

function unreadSpans(item: NeedsItem, room: number): Line {
	if (item.kind === 'computer' || !item.activity || item.activity.unread === 0) return [];
	const whole = safe` ${unreadCount(item.activity)}`;
	return [span(textWidth(whole) <= room ? whole : safe` +`, isWaiting(item) ? 'strong' : 'dim')];
}

/** The computer of a row among rows of several, in at most `room` columns. */
function ownComputer(item: NeedsItem, options: RowOptions, room: number): Safe {
	const name = options.hasComputers ? computerOf(item, options) : safe``;
	return room < Math.min(computerMin, textWidth(name)) ? safe`` : cutEnd(name, Math.min(computerMax, room));
}

/** Why a row of one line needs the user, or what it waits for; empty in a list that is too narrow for it. */
function reasonOf(item: NeedsItem, {width, isScreenReader}: RowOptions): Safe {
	const isPending = item.kind === 'session' && item.state === 'pending' && item.reason !== undefined;
	const isShown = (isWaiting(item) || isPending) && hasReasonInLine(width) && !isScreenReader;
	return (isShown && summaryOf(item)) || safe``;
}

/** Whether a row of this width has room for the reason beside the title. */
export function hasReasonInLine(width: number): boolean {
	return width >= reasonFrom;
}

const reasonGapWidth = 2;
/** In a narrower list a title has no room for a reason beside it. */
const reasonFrom = 36;

function wordSpans(item: NeedsItem, options: RowOptions, room: number): Line {
	const word = wordOf(item, options);
	return word && textWidth(word.text) < room ? [span(safe` `), word] : [];
}

function lookOf(item: NeedsItem, now: number): Look {
	return item.kind === 'session' ? sessionLook(item, now) : needyLook(item);
}

/** The state's word, unless the glyph, the heading or the count of unread messages shows the state. */
function wordOf(item: NeedsItem, options: RowOptions): Span | undefined {
	const {width, isDetailed, now} = options;
	if (isQuiet(item, now)) {
		const text = isDetailed ? safe`no activity for ${ageOf(item, now)}` : safe`quiet`;
		return span(cutEnd(text, width - glyphWidth), 'warn');
	}
	if (isDetailed && isUnreadBusy(item, now))
		return span(cutEnd(safe`when last read`, width - glyphWidth), 'dim');
	if (!isWaiting(item) && item.mark === undefined && !isWordNeeded(item, options)) return undefined;
	const {word, tone} = lookOf(item, now);
	return span(cutEnd(word, wordMax), isWaiting(item) ? tone : 'dim');
}

/** Whether only the word shows the state. */
function isWordNeeded(item: NeedsItem, {grouping, isScreenReader}: RowOptions): boolean {
	if (isScreenReader) return true;
	return item.kind === 'session' && item.state === 'raw' && grouping !== 'state';
}

/** What failed, or the current tool, if there is no second line; or as many tags as fit. */
function extraSpans(item: NeedsItem, room: number, isDetailed: boolean): Line {
	if (item.kind === 'computer') {
		if (isDetailed || room < failureMin) return [];
		return [span(cutEnd(safe`  ${failureText(item, 200)}`, room), 'dim')];
	}
	const work = item.state === 'working' && !isDetailed ? workOf(item, item.activity?.tool) : '';
	if (work !== '' && room > extraMin + 1) return [span(cutEnd(safe`  ${cleanLine(work, 40)}`, room), 'dim')];
	return tagSpans(item, room);
}

/** As many of a session's tags as fit after its name. */
export function tagSpans({known}: SessionItem, room: number): Line {
	let left = room;
	return (known?.session?.sessionSettings?.tags ?? []).slice(0, 8).flatMap(tag => {
		if (left < extraMin + 1) return [];
		const text: Safe = cutEnd(safe` #${cleanLine(tag.name, 40)}`, left);
		left -= textWidth(text);
		return [span(text, 'info')];
	});
}

/** The second line: what happens, then where and with which model, as far as they fit. */
function detailLine(item: NeedsItem, wholeWidth: number, options: RowOptions): Line {
	const changed = changesOf(item);
	const width = changed.length === 0 ? wholeWidth : wholeWidth - lineWidth(changed) - changedGap;
	const word = wordOf(item, options);
	const computer = computerOf(item, options);
	const wordWidth = word ? textWidth(word.text) + gapWidth : 0;
	const own = ownComputer(item, options, width - wordWidth);
	const whole = summaryOf(item) ?? safe``;
	const isTitle = item.kind === 'session' && item.state === 'working' && whole === cleanLine(item.name, 200);
	const summary = isTitle ? safe`` : whole;
	// Locations take the room that the words don't need or can spare.
	let wordsRoom = width - wordWidth - (own === '' ? 0 : textWidth(own) + gapWidth);
	const min = isWaiting(item) ? textWidth(summary) : Math.min(textWidth(summary), wordsMin);
	const locations: Safe[] = [];
	for (const location of locationsOf(item, options.grouping, own === '' ? computer : safe``)) {
		const needed =
			textWidth(location) + (locations.length === 0 && summary === '' && own === '' ? 0 : gapWidth);
		if (wordsRoom - needed < min) break;
		wordsRoom -= needed;
		locations.push(location);
	}
	const texts = [cutEnd(summary, wordsRoom), own, ...locations].filter(text => text !== '');
	const parts = [...(word ? [word] : []), ...texts.map(text => span(text, 'dim'))];
	const line = parts.flatMap((part, index) => (index === 0 ? [part] : [gap, part]));
	return changed.length === 0 ? line : [...padLine(line, width + changedGap), ...changed];
}

const changedGap = 2;

/** Counts of changed lines in the folder; none if the row needs the user, whose reason takes the room. */
function changesOf(item: NeedsItem): Line {
	if (item.kind === 'computer' || isWaiting(item)) return [];
	return changedLines(item.known?.session?.workFolder);
}

const gap = span(safe` · `, 'dim');
const gapWidth = 3;

/** The current tool, what the agent asks for or its last words, or what failed; without secrets. */
function summaryOf(item: NeedsItem): Safe | undefined {
	if (item.kind === 'computer') return failureText(item, 200);
	const {state, activity, reason} = item;
	const text =
		state === 'working' ? workOf(item, activity?.tool ?? activity?.words) : (reason ?? activity?.words);
	return text === undefined || text.trim() === '' ? undefined : cleanLine(maskText(text), 200);
}

/** How many sub-agents are at work, and what the agent itself does. */
function workOf({known}: SessionItem, own: string | undefined): string {
	const {subagents = 0} = known?.session ?? {};
	const count = subagents > 0 ? `▸ ${subagents} ${subagents === 1 ? 'agent' : 'agents'}` : '';
	return [count, own].filter(Boolean).join(' · ');
}

/** Who else changes its files, branch, computer, folder, agent and model, except what the heading shows. */
function locationsOf(item: NeedsItem, grouping: Grouping, computer: Safe): Safe[] {
	if (item.kind === 'computer') return [];
	const {folder, known} = item;
	const path = (known?.cwd ?? folder ?? '').split(/[/\\]/).findLast(part => part !== '');
	const {workFolder, agent, sessionSettings} = known?.session ?? {};
	return [
		alsoIn(item.shared),
		workFolder?.branch,
		computer,
		grouping === 'folder' ? '' : path,
		agent,
		sessionSettings?.model,
	].flatMap(text => (text ? [cleanLine(text, 40)] : []));
}

/** The computer of a session; empty if the heading shows it. */
function computerOf(item: NeedsItem, {grouping}: RowOptions): Safe {
	if (item.kind === 'computer' || (grouping === 'computer' && !isWaiting(item))) return safe``;
	return cleanLine(item.computerName ?? shortId(item.computerId ?? ''), 40);
}

/** The row's name; under a folder's heading, an unnamed session of this machine is client, last event and short id. */
function rowName({name, client, signal, known, id, group}: SessionItem, grouping: Grouping): Safe {
	if (grouping !== 'folder' || client === undefined || group === 'needs' || known?.name !== undefined)
		return cleanLine(name);
	return cleanLine([client, signal?.lastEvent, shortId(id)].filter(Boolean).join(' '));
}

function glyphOf(item: NeedsItem, options: RowOptions): Safe {
	const {now, isSpinnerStill} = options;
	const isWorking = item.kind === 'session' && item.state === 'working' && !isUnreadBusy(item, now);
	return isWorking ? spinnerAt(now, isSpinnerStill || isQuiet(item, now)) : lookOf(item, now).glyph;
}

function isSpinning(item: NeedsItem, now: number): boolean {
	const isWorking = item.kind === 'session' && item.state === 'working';
	return isWorking && !isUnreadBusy(item, now) && !isQuiet(item, now);
}

/** Whether a working session has shown no activity for long. */
function isQuiet(item: NeedsItem, now: number): boolean {
	return item.kind === 'session' && isStuck(item, now) && !isUnreadBusy(item, now);
}

/** Whether a session was at work when it was last read, which is too long ago. */
function isUnreadBusy(item: NeedsItem, now: number): boolean {
	return item.kind === 'session' && !item.isAssumed && isUnsure(item, now);
}

/** The age of what `startOf` names; blank if unknown. */
function ageOf(item: NeedsItem, now: number): Safe {
	const start = startOf(item, now);
	return start === undefined ? safe`` : shortAge(now - start);
}

/** When the turn began of a working session; the last activity of one at rest or long without any. */
function startOf(item: NeedsItem, now: number): number | undefined {
	if (item.kind === 'computer' || isQuiet(item, now)) return item.since;
	return isSinceRead(item) ? lastActivityOf(item) : turnStart(item);
}

/** Whether `since` is only the time at which a status was read. */
function isSinceRead({state, source, activity}: SessionItem): boolean {
	if (source === 'hook' || (source === 'activity' && activity !== undefined)) return false;
	return state === 'idle' || state === 'ended' || state === 'raw';
}

const day = 24 * 3_600_000;

/** An age of at most three columns. */
function shortAge(ms: number): Safe {
	const days = Math.floor(ms / day);
	if (days < 100) return age(ms);
	return days < 700 ? safe`${Math.floor(days / 7)}w` : safe`${Math.floor(days / 365)}y`;
}

export function itemRowChangesAt(item: NeedsItem, now: number): number | undefined {
	if (isSpinning(item, now)) return secondAfter(now);
	const changesAt = agesChangeAt([startOf(item, now)], now);
	if (item.kind === 'computer' || !isLimited(item, now)) return changesAt;
	return Math.min(changesAt ?? Number.POSITIVE_INFINITY, item.limitedUntil ?? 0);
}
