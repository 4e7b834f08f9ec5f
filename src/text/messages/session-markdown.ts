import {folderOf, type KnownSession} from '../../domain/known.ts';
import {type MessageRole, sendingSession} from '../../domain/messages/message.ts';
import type {TimelineItem} from '../../domain/messages/timeline.ts';
import {cleanLine} from '../cells/clean.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {dateTime} from '../values/times.ts';
import {messageParts} from './message-parts.ts';
import {partMarkdown} from './part-markdown.ts';

const writers: Readonly<Record<MessageRole, Safe>> = {
	user: safe`You`,
	assistant: safe`Agent`,
	tool: safe`Tool`,
};

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
