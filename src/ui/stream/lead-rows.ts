import {cleanLine} from '../../text/clean.ts';
import {fitLine, type Line, span} from '../../text/line.ts';
import {messageParts} from '../../text/message-parts.ts';
import {gutterOf} from '../../text/message-rows.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {calendarDay, clockTime} from '../../text/times.ts';
import {writerOf} from './item-rows.ts';
import type {StreamItem} from './stream-items.ts';

/** What precedes the first item. */
export type Beginning = 'start' | 'older' | 'asking';

/**
 * Rows above an item that show its context: the start of a day, the message it answers if that isn't the
 * previous one, and an empty row when the author changes.
 */
export function leadRows(
	items: readonly StreamItem[],
	index: number,
	width: number,
	beginning: Beginning,
): readonly Line[] {
	const item = items[index];
	if (!item) return [];
	const before = items[index - 1];
	const rows: Line[] = [];
	if (!before && beginning !== 'start') rows.push(olderRow(beginning));
	const day = dayOf(item);
	const isNewDay = day !== undefined && day !== dayBefore(items, index);
	if (isNewDay && (before || beginning === 'start')) rows.push(dayRow(day, width));
	else if (before && writerOf(before) !== writerOf(item)) rows.push([]);
	if (item.answers) rows.push(answerRow(item.answers, width));
	return rows;
}

function olderRow(beginning: 'older' | 'asking'): Line {
	const words = beginning === 'asking' ? safe`↑ loading older messages ...` : safe`↑ older messages`;
	return [span(words, beginning === 'asking' ? 'info' : 'dim')];
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

function dayRow(day: Safe, width: number): Line {
	const words = safe` ${day} `;
	const rest = Math.max(0, width - words.length - 2);
	return fitLine(
		[span(safe`──`, 'border'), span(words, 'dim'), span(cleanLine('─'.repeat(rest)), 'border')],
		width,
	);
}

/** `↳ 14:02 bump the schema`: the time and first words of the answered message. */
function answerRow(answered: StreamItem['answers'], width: number): Line {
	const indent = cleanLine(' '.repeat(gutterOf(width)));
	if (answered === 'earlier') return [span(safe`${indent}↳ answers an earlier message`, 'dim')];
	const text = messageParts(answered ?? {id: ''}).flatMap(part => ('text' in part ? [part.text] : []));
	const words = cleanLine((text[0] ?? '').trimStart().split('\n', 1)[0] ?? '', 200);
	return fitLine([span(safe`${indent}↳ ${clockTime(answered?.createdAt)} ${words}`, 'dim')], width);
}
