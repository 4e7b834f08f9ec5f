import type {Find, Hit} from '../../state/view/find.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutStart} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {firstFitting, type Line, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {RowMatches} from '../../text/search/search-matches.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {matchIndex} from './found-rows.ts';
import {strings} from './strings.ts';

const text = strings.find;
const findMark = safe`/ `;
const maxColumns = 30;
/** Columns that the words leave for the count on a narrow screen. */
const countColumns = 18;

/** The current message in the stream: the matches in its rows, and whether it is the selected one. */
type HitItem = {readonly matches: RowMatches; readonly isSelected: boolean};

/**
 * `/ words   message 3 of 17 · match 2 of 5 in it · n N · Esc`, for the stream's lower border. Where that doesn't fit
 * `width` columns, the counts are shortened; then parts are dropped, last first. `hitItem` is undefined while the current
 * message isn't loaded.
 */
export function findLine(
	find: Find,
	hitItem: HitItem | undefined,
	hasUnread: boolean,
	width: number,
	{label}: KeyMap,
): Line {
	const moves = find.count > 0 ? safe`${label('find-next')} ${label('find-previous')} · ` : safe``;
	const end: Line = find.isTyping ? [] : [span(safe` · ${moves}${label('clear-find')}`, 'dim')];
	const start = [span(findMark, 'accent'), span(shownText(find.words, width), 'strong'), span(safe`   `)];
	// While words are typed, the key would be one of them.
	const pager = hitItem?.isSelected && !find.isTyping ? label('read-in-pager') : undefined;
	const lines = countForms(find, hitItem?.matches, hasUnread, pager).flatMap(forms => [
		...forms.map(counts => [...start, ...counts, ...end]),
		...forms.map(counts => [...start, ...counts]),
	]);
	return firstFitting(lines, width);
}

/** The column right after the words, where typed text goes. */
export function findCursor({words}: Find, width: number): number {
	return textWidth(findMark) + textWidth(shownText(words, width));
}

function shownText(words: string, width: number): Safe {
	return cutStart(cleanLine(words, 200), Math.max(1, Math.min(maxColumns, width - countColumns)));
}

/** The counts, longest first; those that say the same together. */
function countForms(
	find: Find,
	inMessage: RowMatches | undefined,
	hasUnread: boolean,
	pager: Safe | undefined,
): readonly (readonly Line[])[] {
	const {hit, isSearching, count, newer} = find;
	if (!hit || isSearching || count === 0) return [countSpans(find, hasUnread).map(one => [one])];
	const nth = count - newer;
	const whole = span(text.message(nth, count), 'accent');
	const short = span(text.position(nth, count), 'accent');
	const counts = [[whole], [short]];
	if (!inMessage || inMessage.startRows.length === 1) return [counts];
	const [note, shortNote] = notes(inMessage, hit, pager);
	return [
		[
			[whole, note],
			[whole, shortNote],
			[short, shortNote],
		],
		counts,
	];
}

/** Where the reader is among the matches in the message, or that none is in its rows: in full, and short. */
function notes(inMessage: RowMatches, {nth}: Hit, pager: Safe | undefined): readonly [Span, Span] {
	const matches = inMessage.startRows.length;
	if (matches === 0) return [span(text.notShown(pager), 'warn'), span(text.notShownShort(pager), 'warn')];
	const inIt = [(matchIndex(inMessage, nth) ?? 0) + 1, matches] as const;
	return [span(text.inMessage(...inIt), 'dim'), span(text.match(...inIt), 'dim')];
}

/** What is known of the count, longest first. */
function countSpans(
	{words, isTyping, count, isSearching, isIncomplete}: Find,
	hasUnread: boolean,
): readonly Span[] {
	if (isSearching) return [span(count > 0 ? text.soFar(count) : text.searching, 'info')];
	if (count > 0) return [span(text.found(count), 'accent')];
	if (words.trim() === '') return [span(text.hint, 'dim')];
	if (isIncomplete) return [span(text.unreadable, 'bad')];
	if (hasUnread) return [span(text.notInRead, 'warn'), span(text.notFoundSoFar, 'warn')];
	return isTyping
		? [span(text.notFoundHint, 'warn'), span(text.notFound, 'warn')]
		: [span(text.notFoundYet, 'warn')];
}
