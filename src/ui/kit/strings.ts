import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {exactNumber} from '../../text/values/numbers.ts';

/** A dimmed sentence with its keys emphasized: keyed`${key} shows all.` */
export function keyed(parts: TemplateStringsArray, ...keys: readonly Safe[]): Line {
	return parts
		.flatMap((part, index) => [span(cleanLine(part), 'dim'), span(keys[index] ?? safe``, 'strong')])
		.filter(({text}) => text !== '');
}

export function filterTitle(words: string): Line {
	return words === '' ? [] : [span(safe` · `, 'border'), span(safe`/${cleanLine(words, 60)}`, 'accent')];
}

/** The number of rows in a table, and how many there are without the filter. */
export function shownCount(shown: number, all: number): Safe {
	return shown === all ? exactNumber(all) : safe`${exactNumber(shown)} of ${exactNumber(all)}`;
}

/** `search`: the key that searches messages, where it works. */
export function noMatches(showAll: Safe, search?: Safe): Line {
	if (search === undefined) return keyed`No matches. ${showAll} shows all.`;
	return keyed`No matches. ${showAll} shows all, ${search} searches messages.`;
}

/** In the upper border of a list with `count` rows above the visible ones; `isCut`: or at least a heading. */
export function moreAbove(count: number, isCut: boolean): Line {
	if (count === 0) return isCut ? [span(safe`↑`, 'dim')] : [];
	return [span(safe`${count} more ↑`, 'dim')];
}

/** The same where there is no room for the word. */
export function countAbove(count: number): Line {
	return [span(safe`${count} ↑`, 'dim')];
}

/** The lower border of a list with `count` rows below the visible ones. */
export function moreBelow(count: number): Line {
	return count > 0 ? [span(safe`${count} more ↓`, 'dim')] : [];
}
