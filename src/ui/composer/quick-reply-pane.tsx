import {useEffect} from 'react';
import {useStore} from 'zustand';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {lookText, sessionLook} from '../../state/sessions/session-look.ts';
import type {Stream} from '../../state/stream.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {moreLines, restOf} from '../../text/messages/collapsed-rows.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {age} from '../../text/values/times.ts';
import {Pane} from '../kit/pane.tsx';
import {ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import type {Layout} from '../layout.ts';
import {composerRows, quickReplyWidth} from '../layout-now.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {ComposerPane} from './composer-pane.tsx';
import {strings} from './strings.ts';

/** Rows of the last message: enough to answer a question. */
const maxMessageRows = 6;
const border = 2;

type Props = {readonly item: SessionItem; readonly layout: Layout; readonly isFocused: boolean};

/** A small composer over the lists for one session, below its question and last message. */
export function QuickReplyPane({item, layout, isFocused}: Props) {
	const {stores, composers, actions} = useApp();
	const {engine} = actions;
	useEffect(() => engine.sessions.open(item.id), [engine, item.id]);
	const stream = useStore(stores.streams, ({open}) => open.get(item.id));
	const now = useNow(at => (item.since === undefined ? undefined : ageChangesAt(item.since, at)));
	const width = quickReplyWidth(layout);
	const textRows = useStore(composers, ({bySession}) => composerRows(bySession.get(item.id), width));
	const room = layout.rows - 3;
	const composer = Math.min(textRows, Math.max(1, Math.floor(room / 3))) + border;
	const message = lastMessageRows(
		item,
		stream,
		width - 4,
		Math.min(maxMessageRows, room - composer - border),
	);
	const height = message.length === 0 ? 0 : message.length + border;
	const y = layout.rows - 1 - composer;
	// The message text blocks the pointer from the panes below it.
	useZone({rect: {x: 0, y: y - height, width, height: height + composer}, order: zoneOrder.divider});
	const look = sessionLook(item, now);
	const since = item.since === undefined ? safe`` : safe` ${age(now - item.since)}`;
	const state = span(safe`  ${lookText(look)}${since}`, look.tone);
	const name = cleanLine(item.name, 200);
	return (
		<>
			{height > 0 && (
				<Pane
					rect={{x: 0, y: y - height, width, height}}
					title={[span(cutEnd(name, width - lineWidth([state]) - 8), 'heading'), state]}
					isFocused
					body={message.map(line => ({line: [span(safe` `), ...line]}))}
				/>
			)}
			<ComposerPane
				sessionId={item.id}
				rect={{x: 0, y, width, height: composer}}
				isFocused={isFocused}
				title={strings.replyTo(cutEnd(name, width - 18))}
			/>
		</>
	);
}

/**
 * The session's question, unless it is in the text below it: the end of the newest message not written by the user,
 * with a row for what is hidden above.
 */
function lastMessageRows(
	item: SessionItem,
	stream: Stream | undefined,
	width: number,
	maxRows: number,
): Line[] {
	if (maxRows < 1) return [];
	const text = newestAnswer(stream);
	const answer = text === undefined ? [] : wrapText(cleanText(text.slice(-maxLength)), width);
	const reason = cleanText(item.reason ?? '', {maxLength: 400});
	const end = shownEnd(answer, text, maxRows, []);
	const isInAnswer = plainWords(end.rows.join(' ')).includes(plainWords(reason));
	const question = reason === '' || isInAnswer ? [] : wrapText(reason, width).slice(0, 2);
	const {hidden, rows} = shownEnd(answer, text, maxRows - question.length, question);
	const lines: Line[] = [
		...question.map((row): Line => [span(row, 'warn')]),
		...hidden.map((row): Line => [span(cutEnd(row, width), 'dim')]),
		...rows.map((row): Line => [span(row)]),
	];
	if (lines.length > 0) return lines.slice(0, maxRows);
	return [[span(stream?.phase.name === 'ready' ? strings.noMessages : strings.loading, 'dim')]];
}

/**
 * The last rows of an answer, and a row for what is hidden above them unless there is room for only one. The question
 * above may be a part of the answer, and then isn't hidden.
 */
function shownEnd(answer: readonly Safe[], text = '', maxRows: number, question: readonly Safe[]) {
	const isWhole = answer.length <= maxRows && text.length <= maxLength;
	const hasMark = !isWhole && maxRows > 1;
	const count = hasMark ? maxRows - 1 : maxRows;
	const rows = count < 1 ? [] : answer.slice(-count);
	const hidden = answer.slice(0, answer.length - rows.length).filter(row => !question.includes(row));
	const mark = text.length > maxLength ? restOf(text) : moreLines(hidden.length);
	return {rows, hidden: hasMark ? [mark] : []};
}

/** A question derived from a message lacks its markdown and line breaks. */
function plainWords(text: string): string {
	return text.replaceAll(/[\s*`#>-]+/g, ' ').trim();
}

/** Characters at the end of a long message: the part to answer. */
const maxLength = 4000;

function newestAnswer(stream: Stream | undefined): string | undefined {
	const newest = stream?.entries.findLast(
		entry => entry.kind === 'message' && entry.role !== 'user' && entry.message.isUserVisible !== false,
	);
	if (newest?.kind !== 'message') return undefined;
	const text = messageParts(newest.message)
		.flatMap(part => ('text' in part ? [part.text] : []))
		.join('\n')
		.trim();
	return text === '' ? undefined : text;
}
