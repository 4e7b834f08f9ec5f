import type {KnownSession} from '../../domain/known.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {terminalText} from '../../text/cells/terminal-lines.ts';
import {messageParts, type Part} from '../../text/messages/message-parts.ts';
import {dateTime} from '../../text/values/times.ts';
import {messageJson, sessionJson} from '../output/json-output.ts';
import type {Output} from '../output/output.ts';
import {strings} from './strings.ts';

const {parts: text} = strings;
const maxMessageLength = 1024 * 1024;

/** Returns a function that prints messages; for one already printed, only the text added since. */
export function createMessagePrinter(output: Output, sessionId: string) {
	const printed = new Map<string, string>();
	return (items: readonly TimelineItem[]): void => {
		for (const {id, message, role} of items) {
			if (output.isJson) {
				output.json(messageJson(message, role, sessionId));
				continue;
			}
			if (message.isUserVisible === false) continue;
			const body = messageParts(message, Number.POSITIVE_INFINITY).map(partText).join('\n').trimEnd();
			const before = printed.get(id);
			if (before === body) continue;
			printed.set(id, body);
			if (before !== undefined && body.startsWith(before)) {
				const addedText = body.slice(before.length).replace(/^\n/, '');
				if (addedText !== '') output.line(cleaned(addedText, role));
				continue;
			}
			const writer = role ?? (message.author === 'system' ? text.client : text.unknownRole);
			const who = safe`${cleanLine(writer + (message.isError ? text.error : ''))}`;
			output.line(safe`${who}  ${dateTime(message.createdAt)}  ${cleanLine(id)}`);
			output.line(safe`${cleaned(body, role)}\n`);
		}
	};
}

/** A message's text alone, for piping. */
export function plainAnswer(item: TimelineItem): Safe {
	const texts = messageParts(item.message, Number.POSITIVE_INFINITY).flatMap(part =>
		part.kind === 'text' ? [part.text] : [],
	);
	return cleaned(texts.join('\n').trimEnd(), item.role);
}

/** As on the screen: what isn't the user's is left as a terminal leaves it. */
function cleaned(text: string, role: TimelineItem['role']): Safe {
	const shown = role === 'user' ? text : terminalText(text);
	return cleanText(shown, {maxLength: maxMessageLength, isDrawn: false});
}

function partText(part: Part): string {
	switch (part.kind) {
		case 'text':
		case 'tool-result':
			return part.text;
		case 'thinking':
			return text.thinking(part.text);
		case 'tool-use':
			return text.tool(part.name, JSON.stringify(part.input) ?? '');
		case 'attachment':
			return text.other([part.word, part.name, part.type].filter(Boolean).join(' '));
		case 'unknown':
			return text.other(part.what);
	}
}

/** One JSON document: the locally known session and its messages, oldest first, with all fields. */
export function sessionDocument(
	sessionId: string,
	known: KnownSession | undefined,
	items: readonly TimelineItem[],
): object {
	return {
		session: known ? sessionJson(known) : {sessionId},
		messages: items.map(({message, role}) => messageJson(message, role, sessionId)),
	};
}
