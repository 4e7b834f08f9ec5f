import type {OutboxItem} from '../../domain/messages/delivery.ts';
import type {SessionItem} from '../../state/sessions/session-items.ts';
import {modelOf, type SessionRow} from '../../state/sessions/session-rows.ts';
import {
	type SessionsViewState,
	type SessionTableOrder,
	sessionTableOrders,
} from '../../state/view/view-states.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {shortNumber} from '../../text/values/numbers.ts';
import {age} from '../../text/values/times.ts';
import {fitTable, sortedBy, type TableColumn, textColumn} from '../kit/columns.ts';
import {draftMark, queuedMark, sessionLook} from '../looks/session-look.ts';
import {tagSpans} from '../panes/session-row.ts';
import type {NoteOf} from '../stream/delivery-note.ts';
import {strings} from './strings.ts';

/** Minimum table width, in columns, that spells states out. */
const minStateWidth = 70;
/** Limits of the width of the state, with its glyph: the longest of our words is `acknowledged`. */
const stateWidth = {min: 10, max: 14} as const;
const titleWidth = {narrow: 14, wide: 30} as const;
const maxTextLength = 60;
/** Longest title measured: without one of its own, a session has the first words of its first message. */
const maxTitleLength = 200;
/** What a long title may take of a wide table, so that the tags keep their place. */
const maxTitleShare = 0.45;
/** Columns of the mark before a pinned session's title. */
const pinWidth = 2;
/** Limits of the width of computers and models before the title grows. */
const nameWidth = {min: 8, max: 14} as const;
const tagsWidth = {min: 8, max: 24} as const;
const minDeliveryWidth = 13;

/** Columns that the widest cells need. */
export type ContentWidths = Readonly<Record<'state' | 'title' | 'computer' | 'model', number>>;

/** Measures all sessions, so that columns don't move when the list is filtered or scrolled. */
export function contentWidths(sessions: readonly SessionItem[]): ContentWidths {
	const widths = {state: 0, title: 0, computer: 0, model: 0};
	for (const item of sessions) {
		const {name, isPinned, computerName, known} = item;
		const {glyph, word} = sessionLook(item);
		widths.state = Math.max(widths.state, textWidth(safe`${glyph} ${word}`));
		widths.title = Math.max(widths.title, widthOf(name, maxTitleLength) + (isPinned ? pinWidth : 0));
		widths.computer = Math.max(widths.computer, widthOf(computerName));
		widths.model = Math.max(widths.model, widthOf(modelOf(known?.session)));
	}
	return widths;
}

function widthOf(text: string | undefined, maxLength = maxTextLength): number {
	return text === undefined ? 0 : textWidth(cleanLine(text, maxLength));
}

type Table = {
	/** Available columns. */
	readonly width: number;
	readonly now: number;
	/** Sessions with an unsent draft. */
	readonly drafted: ReadonlySet<string>;
	readonly widths: ContentWidths;
	/** The messages sent from the table and their notes, while their delivery is shown. */
	readonly delivery?: {
		readonly of: (row: SessionRow) => OutboxItem | undefined;
		readonly noteOf: NoteOf;
		/** Columns of the widest note. */
		readonly widest: number;
	};
} & Pick<SessionsViewState, 'order' | 'isReversed'>;

/**
 * The columns of the sessions table that fit, always including the sort column. Without a column of their own, tags
 * stand after the titles.
 */
export function sessionColumns(table: Table): readonly TableColumn<SessionRow>[] {
	const {width, delivery} = table;
	const columns = {...stateColumns(table), ...countColumns(), ...timeColumns(table.now)};
	const all = sortedBy(columns, sessionTableOrders, table);
	const fitted = fitTable(delivery ? all.toSpliced(2, 0, deliveryColumn(delivery)) : all, width);
	if (fitted.some(({title}) => title === strings.columns.tags)) return fitted;
	return fitted.map(column =>
		column.title === strings.columns.title ? {...column, cell: withTags(column.cell)} : column,
	);
}

function withTags(cell: TableColumn<SessionRow>['cell']): TableColumn<SessionRow>['cell'] {
	return (row, width) => {
		const title = cell(row, width);
		return [...title, ...tagSpans(row.item, width - lineWidth(title))];
	};
}

function stateColumns({width, widths, now, drafted}: Table) {
	const hasWords = width >= minStateWidth;
	return {
		state: {
			title: hasWords ? strings.columns.state : safe``,
			width: hasWords ? clamp(widths.state, stateWidth) : 1,
			rank: 0,
			cell({item}) {
				const {glyph, word, tone} = sessionLook(item, now);
				const isUrgent = item.group === 'needs';
				return [
					span(glyph, tone, {bold: isUrgent}),
					...(hasWords ? [span(safe` ${word}`, isUrgent ? tone : 'dim')] : []),
				];
			},
		},
		title: {
			title: strings.columns.title,
			width: hasWords ? titleWidth.wide : titleWidth.narrow,
			max: Math.min(widths.title, Math.max(maxTextLength, Math.floor(width * maxTitleShare))),
			rank: 0,
			// Grows before the tags, after every other column has its width.
			growthRank: 6.5,
			cell: (row, room) => titleCell(row, room, drafted.has(row.item.id)),
		},
		computer: textColumn(
			strings.columns.computer,
			{width: clamp(widths.computer, nameWidth), max: widths.computer, rank: 3},
			row => row.computer,
		),
		model: textColumn(
			strings.columns.model,
			{width: clamp(widths.model, nameWidth), max: widths.model, rank: 6},
			row => row.model,
		),
	} satisfies Partial<Record<SessionTableOrder, TableColumn<SessionRow>>>;
}

function clamp(width: number, {min, max}: {readonly min: number; readonly max: number}): number {
	return Math.max(min, Math.min(max, width));
}

function titleCell({item}: SessionRow, width: number, hasDraft: boolean): Line {
	const isQuiet = item.group === 'ended' || item.group === 'seen' || item.state === 'unknown';
	const pin = item.isPinned ? [span(safe`◆ `, 'accent')] : [];
	const draft = hasDraft ? [span(safe` ${draftMark}`, 'info')] : [];
	const queued = item.hasQueued ? [span(safe` ${queuedMark}`, 'warn')] : [];
	const room = width - lineWidth([...pin, ...queued, ...draft]);
	return [...pin, span(cutEnd(cleanLine(item.name), room), isQuiet ? 'dim' : undefined), ...queued, ...draft];
}

function countColumns() {
	return {
		messages: {
			...countColumn(strings.columns.messages, 5),
			cell: ({messages, hasMoreMessages}, width) => [
				span(countCell(messages, hasMoreMessages, width), 'dim'),
			],
		},
		unread: {
			...countColumn(strings.columns.unread, 2),
			cell: ({unread, isUnreadPartial}, width) => [
				span(countCell(unread, isUnreadPartial, width), unread ? 'info' : 'dim'),
			],
		},
		tokens: {
			...countColumn(strings.columns.tokens, 4),
			cell: ({tokens}, width) => [span(countCell(tokens, false, width), 'dim')],
		},
	} satisfies Partial<Record<SessionTableOrder, TableColumn<SessionRow>>>;
}

function timeColumns(now: number) {
	return {
		activity: {
			title: strings.columns.activity,
			width: 6,
			isNumber: true,
			rank: 1,
			cell: ({activeAt}, width) => [
				span(pad(age(activeAt === undefined ? undefined : now - activeAt), width, 'end'), 'dim'),
			],
		},
		tags: {
			title: strings.columns.tags,
			...tagsWidth,
			width: tagsWidth.min,
			rank: 7,
			cell: ({tags}, width) => [
				span(
					tags.length === 0 ? safe`-` : cutEnd(cleanLine(tags.map(tag => `#${tag}`).join(' '), 80), width),
					tags.length === 0 ? 'dim' : 'info',
				),
			],
		},
	} satisfies Partial<Record<SessionTableOrder, TableColumn<SessionRow>>>;
}

function deliveryColumn({of, noteOf, widest}: NonNullable<Table['delivery']>): TableColumn<SessionRow> {
	return {
		title: strings.delivery,
		width: minDeliveryWidth,
		max: widest,
		rank: 0,
		growthRank: 1,
		cell(row, width) {
			const item = of(row);
			if (!item) return [span(safe`-`, 'dim')];
			const note = noteOf(item);
			return [{...note, text: cutEnd(note.text, width)}];
		},
	};
}

function countColumn(title: Safe, rank: number) {
	return {title, width: textWidth(title), isNumber: true, rank} as const;
}

/** A number, with a plus if there may be more. */
function countCell(count: number | undefined, isPartial: boolean, width: number): Safe {
	return pad(safe`${shortNumber(count)}${isPartial ? safe`+` : safe``}`, width, 'end');
}
