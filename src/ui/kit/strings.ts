import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';

/** A dimmed sentence with its keys emphasized: keyed`${key} shows all.` */
export function keyed(parts: TemplateStringsArray, ...keys: readonly Safe[]): Line {
	return parts
		.flatMap((part, index) => [span(cleanLine(part), 'dim'), span(keys[index] ?? safe``, 'strong')])
		.filter(({text}) => text !== '');
}

/** The lower border of a list with `count` rows below the visible ones. */
export function moreBelow(count: number): Line {
	return count > 0 ? [span(safe`${count} more ↓`, 'dim')] : [];
}
