import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {NewLine} from '../../state/stream.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {fitLine, type Line, type Span, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {messageParts} from '../../text/messages/message-parts.ts';
import {gutterOf, headRow, messageRows, type RowCache} from '../../text/messages/message-rows.ts';
import type {RowLook} from '../../text/messages/tool-card.ts';
import {calendarDay, clockTime} from '../../text/values/times.ts';
import {withoutRequest} from '../banner-lines.ts';
import type {KeyMap} from '../keys/key-map.ts';
import {keyed} from '../kit/strings.ts';
import type {StreamItem} from './stream-items.ts';

/** The keys that settle a message of ours, by where the keyboard is. */
export type OutgoingKeys = Pick<KeyMap, 'label'> & {
	/** The key that leads to the stream, whose keys these are; absent while the stream has the keyboard. */
	readonly toStream?: Safe | undefined;
	readonly isWriting?: boolean;
};

/** Rows of one item, cached while it is unchanged. Two sessions may have messages with the same id. */
export function itemRows(
	cache: RowCache,
	sessionId: string,
	item: StreamItem,
	look: RowLook,
	keys: OutgoingKeys,
): readonly Line[] {
	const {width} = look;
	const key = {id: `${sessionId} ${item.id}`, version: item.version};
	const {messages} = item;
	const rows = cache.rows(key, look, memo => messageRows(item.entry, {...look, messages, memo}));
	// The reason why it waits and the keys change without the message, so they aren't cached.
	const below = unsettledRows(item, width - gutterOf(width), keys);
	return below.length > 0 ? [...rows, ...indented(below, width)] : rows;
}

function indented(rows: readonly Line[], width: number): Line[] {
	const indent = span(pad(safe``, gutterOf(width)));
	return rows.map(row => [indent, ...row]);
}

/** Rows under a waiting message: the reason, if its note has none, and how to take the message back before it is sent. */
function queuedRows({problem, unreached}: OutboxItem, width: number, keyRow: Line): Line[] {
	const why = problem === undefined || unreached ? [] : problemRows(problem, width);
	return [...why.map((row): Line => [span(row, 'warn')]), keyRow];
}

/** Why it isn't sent; with the id of the request only where a row has room for it. */
function problemRows(problem: string, width: number): readonly Safe[] {
	const rows = wrapText(cleanLine(problem), width);
	return rows.length === 1 ? rows : wrapText(cleanLine(withoutRequest(problem)), width);
}

/** Rows under a message that needs a decision: the reason and the keys. */
function unsettledRows(
	{outbox, turn}: StreamItem,
	width: number,
	{label, toStream, isWriting}: OutgoingKeys,
): Line[] {
	const first = toStream === undefined ? [] : keyed`After ${toStream}: `;
	if (outbox?.state === 'queued') {
		// The composer has a key of its own for that.
		const takeBack = keyed`${label(isWriting ? 'take-back' : 'discard')} take back before it is sent`;
		const now = turn === 'next' ? keyed`${label('retry')} send now   ` : [];
		const keyRow = isWriting ? takeBack : [...first, ...now, ...takeBack];
		return queuedRows(outbox, width, keyRow);
	}
	if (outbox?.state !== 'unconfirmed' && outbox?.state !== 'failed') return [];
	const hasFailed = outbox.state === 'failed';
	const why =
		outbox.problem === undefined
			? wrapText(hasFailed ? safe`The service rejected it.` : safe`No response: it may have arrived.`, width)
			: problemRows(outbox.problem, width);
	return [
		...why.map((row): Line => [span(row, hasFailed ? 'bad' : 'warn')]),
		[
			...first,
			...keyed`${label('retry')} send again   ${label('discard')} take back   ${label('copy')} copy`,
		],
	];
}

/** The author of a row; a tool's result counts as the agent's. */
function writerOf({entry}: StreamItem): 'user' | 'assistant' | 'gap' | 'unknown' {
	if (entry.kind === 'gap') return 'gap';
	if (entry.isRoleLate || !entry.role) return 'unknown';
	return entry.role === 'tool' ? 'assistant' : entry.role;
}

/** Messages of an agent at work share a head until so much time has passed, ms. */
const sharedHeadFor = 5 * 60_000;

/** Whether a message has a head of its own: all except those that continue the agent's previous message. */
function startsWith(item: StreamItem, before: StreamItem | undefined): boolean {
	if (item.entry.kind === 'gap') return false;
	if (before?.entry.kind !== 'message' || before.entry.message.author !== item.entry.message.author)
		return true;
	if (writerOf(item) !== 'assistant' || writerOf(before) !== 'assistant') return true;
	if (isToolText(item) !== isToolText(before)) return true;
	const {createdAt} = item.entry.message;
	const since = before.entry.message.createdAt;
	return createdAt !== undefined && since !== undefined && createdAt - since >= sharedHeadFor;
}

/** Whether it is a tool's plain text: under a shared head, it would pass for the agent's words. */
function isToolText(item: StreamItem): boolean {
	return item.entry.kind === 'message' && item.entry.role === 'tool' && isProse(item);
}

/** Whether an item is prose, which has blank rows around it, unlike tools and thoughts. */
export function isProse({entry}: StreamItem): boolean {
	if (entry.kind === 'gap') return false;
	const {type} = entry.message.content?.[0] ?? {};
	return type === undefined || type === 'text';
}

/** What precedes the first item. */
export type Beginning = 'start' | 'older' | 'asking';

type LeadOptions = {
	readonly width: number;
	readonly beginning: Beginning;
	readonly newLine?: NewLine | undefined;
	/** Whether the item before is a card with rows below its head, and there is room for space between cards. */
	readonly isBelowCard?: boolean;
	/** The delivery note of our message, at the right end of its head. */
	readonly note?: Span | undefined;
};

/**
 * Rows above an item that show its context: the start of a day, the start of the unread messages, author and time, and
 * the message it answers if that isn't the previous one.
 */
export function leadRows(
	items: readonly StreamItem[],
	index: number,
	{width, beginning, newLine, note, isBelowCard = false}: LeadOptions,
): readonly Line[] {
	const item = items[index];
	if (!item) return [];
	const before = items[index - 1];
	const rows: Line[] = [];
	if (!before && beginning !== 'start') rows.push(olderRow(beginning));
	const day = dayOf(item);
	const isNewDay = day !== undefined && day !== dayBefore(items, index);
	const hasHead = isNewDay || startsWith(item, before);
	if (isNewDay && (before || beginning === 'start'))
		rows.push(ruleRow(span(safe` ${day} `, 'dim'), 'border', width));
	else if (
		before &&
		(hasHead || isBelowCard || writerOf(before) !== writerOf(item) || isProse(before) !== isProse(item))
	)
		rows.push([]);
	if (newLine && (newLine.id === item.id || item.otherIds?.includes(newLine.id)))
		rows.push(newRow(newLine, width));
	if (hasHead && item.entry.kind === 'message') rows.push(headRow(item.entry, width, note));
	if (item.answers) rows.push(answerRow(item.answers, width));
	return rows;
}

function olderRow(beginning: 'older' | 'asking'): Line {
	return [
		beginning === 'asking'
			? span(safe`↑ loading older messages…`, 'info')
			: span(safe`↑ older messages`, 'dim'),
	];
}

/** The day of the nearest of the five previous items that has a time. */
function dayBefore(items: readonly StreamItem[], index: number): Safe | undefined {
	const nearest = Math.max(0, index - 5);
	for (let at = index - 1; at >= nearest; at--) {
		const item = items[at];
		const day = item && dayOf(item);
		if (day !== undefined) return day;
	}
	return undefined;
}

function dayOf({entry}: StreamItem): Safe | undefined {
	return entry.kind === 'gap' ? undefined : calendarDay(entry.message.createdAt);
}

function newRow({count, isPartial}: NewLine, width: number): Line {
	const words = safe` ${isPartial ? safe`${count}+ new` : safe`${count} new`} `;
	return ruleRow(span(words, 'accent', {bold: true}), 'accent', width);
}

function ruleRow(words: Span, tone: Tone, width: number): Line {
	const rest = Math.max(0, width - words.text.length - 2);
	return fitLine([span(safe`──`, tone), words, span(cleanLine('─'.repeat(rest)), tone)], width);
}

/** `↳ 14:02 bump the schema`: the time and first words of the answered message. */
function answerRow(answered: StreamItem['answers'], width: number): Line {
	const indent = cleanLine(' '.repeat(gutterOf(width)));
	if (answered === 'earlier') return [span(safe`${indent}↳ replies to an earlier message`, 'dim')];
	const text = messageParts(answered ?? {id: ''}).flatMap(part => ('text' in part ? [part.text] : []));
	const words = cleanLine((text[0] ?? '').trimStart().split('\n', 1)[0] ?? '', 200);
	return fitLine([span(safe`${indent}↳ ${clockTime(answered?.createdAt)} ${words}`, 'dim')], width);
}
