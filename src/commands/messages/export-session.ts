import {folderOf, type KnownSession} from '../../domain/known.ts';
import {type MessageRole, sendingSession} from '../../domain/messages/message.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {partMarkdown} from '../../text/messages/part-markdown.ts';
import {dateTime} from '../../text/values/times.ts';
import {messageJson, sessionJson} from '../output/json-output.ts';

const writers: Readonly<Record<MessageRole, Safe>> = {
	user: safe`You`,
	assistant: safe`Agent`,
	tool: safe`Tool`,
};

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

/**
 * The session as a Markdown document, line by line: one heading per message, text verbatim, code and output
 * fenced. Control characters are shown as symbols; tabs are preserved.
 */
export function* sessionMarkdown(
	sessionId: string,
	known: KnownSession | undefined,
	items: readonly TimelineItem[],
): Generator<Safe> {
	yield safe`# ${cleanLine(known?.session?.title ?? known?.subject ?? sessionId)}\n`;
	const folder = folderOf(known);
	const parts = [`Session \`${sessionId}\``, folder && `in \`${folder}\``].filter(Boolean);
	yield safe`${cleanLine(parts.join(' '))}\n`;
	for (const {message, role} of items) {
		if (message.isUserVisible === false) continue;
		const error = message.isError ? safe` (error)` : safe``;
		const sender = sendingSession(message) === undefined ? safe`` : safe` (sent by an agent)`;
		yield safe`## ${role ? writers[role] : safe`Unknown`}${sender}${error}, ${dateTime(message.createdAt)}\n`;
		for (const part of messageParts(message, Number.POSITIVE_INFINITY)) yield safe`${partMarkdown(part)}\n`;
	}
}
