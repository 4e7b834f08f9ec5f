import type {Find, Hit} from '../../state/view/find.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutStart} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {firstFitting, type Line, type Span, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {RowMatches} from '../../text/search/search-matches.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {matchIndex} from './found-rows.ts';

const findMark = safe`/ `;
const maxColumns = 30;
/** Columns that the words leave for the count on a narrow screen. */
const countColumns = 18;

/** The current message in the stream: the matches in its rows, and whether it is the selected one. */
type HitItem = {readonly matches: RowMatches; readonly isSelected: boolean};

/**
 * `/ words   message 3 of 17 · match 2 of 5 · n N · Esc`, for the stream's lower border. Where that doesn't fit
 * `width` columns, the counts are shortened; then the keys are dropped. `hitItem` is undefined while the current
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
	const forms = countForms(find, hitItem?.matches, hasUnread, pager);
	const lines = forms.map(counts => [...start, ...counts]);
	return firstFitting([...lines.map(line => [...line, ...end]), ...lines], width);
}

/** The column right after the words, where typed text goes. */
export function findCursor({words}: Find, width: number): number {
	return textWidth(findMark) + textWidth(shownText(words, width));
}

function shownText(words: string, width: number): Safe {
	return cutStart(cleanLine(words, 200), Math.max(1, Math.min(maxColumns, width - countColumns)));
}

/** The counts, longest first. */
function countForms(
	find: Find,
	inMessage: RowMatches | undefined,
	hasUnread: boolean,
	pager: Safe | undefined,
): readonly Line[] {
	const {hit, isSearching, count, newer} = find;
	if (!hit || isSearching || count === 0) return countSpans(find, hasUnread).map(one => [one]);
	const nth = count - newer;
	const whole = span(safe`message ${nth} of ${count}`, 'accent');
	const short = span(safe`${nth} of ${count}`, 'accent');
	const note = !inMessage || inMessage.startRows.length === 1 ? [] : [noteOf(inMessage, hit, pager)];
	return [
		[whole, ...note],
		[short, ...note],
	];
}

/** Where the reader is among the matches in the message, or that none is in its rows. */
function noteOf(inMessage: RowMatches, {nth}: Hit, pager: Safe | undefined): Span {
	const index = matchIndex(inMessage, nth);
	if (index !== undefined) return span(safe` · match ${index + 1} of ${inMessage.startRows.length}`, 'dim');
	const opens = pager === undefined ? safe`` : safe`: ${pager} opens all of it`;
	return span(safe` · not in the rows shown${opens}`, 'warn');
}

/** What is known of the count, longest first. */
function countSpans(
	{words, isTyping, count, isSearching, isIncomplete}: Find,
	hasUnread: boolean,
): readonly Span[] {
	if (isSearching) return [span(count > 0 ? safe`${count} so far…` : safe`searching…`, 'info')];
	if (count > 0) return [span(safe`${count} found`, 'accent')];
	if (words.trim() === '') return [span(safe`matches word beginnings`, 'dim')];
	if (isIncomplete) return [span(safe`saved data can't be read`, 'bad')];
	if (hasUnread)
		return [span(safe`not in the messages read so far`, 'warn'), span(safe`not found so far`, 'warn')];
	return isTyping
		? [span(safe`not found · words match from their beginning`, 'warn'), span(safe`not found`, 'warn')]
		: [span(safe`not found yet`, 'warn')];
}
