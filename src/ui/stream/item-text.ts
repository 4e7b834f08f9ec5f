import {messageParts} from '../../text/message-parts.ts';
import type {StreamItem} from './stream-items.ts';

/** The text that copying a message yields: its text parts, raw. */
export function itemText({entry}: StreamItem): string {
	if (entry.kind === 'gap') return '';
	return messageParts(entry.message, Number.POSITIVE_INFINITY)
		.flatMap(part => ('text' in part ? [part.text] : []))
		.join('\n');
}
