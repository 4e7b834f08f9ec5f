import type {Message} from '../../domain/messages/message.ts';
import {messageParts} from './message-parts.ts';

/** A message may hold megabytes: more text than this, in UTF-16 units, isn't searched for links. */
const maxSearched = 1 << 20;
const maxLinks = 99;
const maxLength = 2000;

/** Ends where a label that is an address itself ends: `[https://a.example](https://b.example)`. */
const address = /\b(?:https?:\/\/|mailto:)(?:(?!\]\()[^\s<>"'`\\\p{Cc}])+/giu;
const schemes: readonly string[] = ['http:', 'https:', 'mailto:'];

/**
 * Addresses in the texts of messages, in order and each once, as a browser would be given them: other characters than
 * ASCII are encoded, so that none can hide what it is.
 */
export function messageLinks(messages: readonly Message[]): string[] {
	const links = new Set<string>();
	for (const message of messages)
		for (const part of messageParts(message, Number.POSITIVE_INFINITY)) {
			if (!('text' in part)) continue;
			for (const [found] of part.text.slice(0, maxSearched).matchAll(address)) {
				const link = openableLink(withoutEnd(found.slice(0, maxLength + 1)));
				if (link !== undefined) links.add(link);
				if (links.size >= maxLinks) return [...links];
			}
		}
	return [...links];
}

/** The address as a URL that may be opened: on the web or for mail, without user name and password. */
export function openableLink(text: string): string | undefined {
	if (text.length > maxLength || !URL.canParse(text)) return undefined;
	const url = new URL(text);
	if (!schemes.includes(url.protocol) || url.username !== '' || url.password !== '') return undefined;
	return url.href.length > maxLength ? undefined : url.href;
}

/** Without what ends a sentence, a phrase in Markdown or one in parentheses, which isn't part of the address. */
function withoutEnd(text: string): string {
	let excess = countOf(text, ')') - countOf(text, '(');
	let squareExcess = countOf(text, ']') - countOf(text, '[');
	let end = text.length;
	for (; end > 0; end--) {
		const last = text[end - 1] ?? '';
		if (last === ')' && excess > 0) excess--;
		else if (last === ']' && squareExcess > 0) squareExcess--;
		else if (!/[.,;:!?*_~|]/.test(last)) break;
	}
	return text.slice(0, end);
}

function countOf(text: string, character: string): number {
	return text.split(character).length - 1;
}
