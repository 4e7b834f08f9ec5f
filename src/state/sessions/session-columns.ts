import {createExportTable, type ExportTable} from '../../domain/export-table.ts';
import {leastMessagesOf, messageCountOf} from '../../domain/known.ts';
import {contextLeft, isContextLow, type Session} from '../../domain/sessions/session.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {type Line, lineText, lineWidth, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {changedLines} from '../../text/values/numbers.ts';
import {age, isoTime} from '../../text/values/times.ts';
import {type Column, numberIn, type TableContext, withOurs} from '../rows/column.ts';
import {largestFirst} from '../rows/table-rows.ts';
import {lastActivityOf, type SessionItem} from './session-items.ts';
import {draftMark, lookText, queuedMark, sessionLook, shownState, stateName} from './session-look.ts';
import type {SessionState} from './session-state.ts';

/** One row of the sessions table. Undefined fields are unknown. */
export type SessionRow = {
	readonly item: SessionItem;
	readonly computer?: string;
	readonly model?: string;
	/** As the service last reported it, or as many as are known, if that is more. */
	readonly messages?: number;
	/** Whether messages have arrived since. */
	readonly hasMoreMessages: boolean;
	readonly unread?: number;
	/** Whether there may be more unread messages than were counted. */
	readonly isUnreadPartial: boolean;
	/** Input and output tokens, including child sessions if the service reports them. */
	readonly tokens?: number;
	/** US dollars, as the agent's client reports it. */
	readonly cost?: number;
	/** What is left of the model's context window, in percent. */
	readonly contextLeft?: number;
	/** Time of the last activity, Unix ms (`lastActivityOf`). */
	readonly activeAt?: number;
	readonly tags: readonly string[];
};

export function sessionRow(item: SessionItem): SessionRow {
	const {known, activity} = item;
	const session = known?.session;
	const settings = session?.sessionSettings;
	const {inputTokens, outputTokens} = settings?.inclusiveTokenUsage ?? settings?.tokenUsage ?? {};
	// None of either tells nothing: an interrupted first turn reports that, although it used some.
	const tokens = (inputTokens ?? 0) + (outputTokens ?? 0) || undefined;
	const messages = leastMessagesOf(known);
	return {
		item,
		hasMoreMessages: messages !== messageCountOf(known),
		isUnreadPartial: activity?.isUnreadPartial === true,
		tags: (settings?.tags ?? []).map(({name}) => name),
		computer: item.computerName ?? item.computerId,
		model: modelOf(session),
		messages,
		unread: activity?.unread,
		tokens,
		cost: settings?.tokenUsage?.costUsd,
		contextLeft: contextLeft(session?.context),
		activeAt: lastActivityOf(item),
	};
}

/** The model of a session: the one that was chosen, otherwise the one that answered last. */
function modelOf(session: Session | undefined): string | undefined {
	const {model, tokenUsage} = session?.sessionSettings ?? {};
	return model ?? tokenUsage?.models?.at(-1);
}

type SessionContext = TableContext & {
	readonly drafted?: ReadonlySet<string>;
};

type SessionColumn = Column<SessionRow, SessionContext>;

/** Every column of a session, in the order of the screen and of `sessions list`. */
export const sessionColumns: readonly SessionColumn[] = [
	{name: 'id', value: ({item}) => item.id, show: ({item}) => cleanLine(item.id)},
	{
		name: 'state',
		value: ({item}) => stateName(item),
		json: ({item}) => stateName(item),
		sortKey: ({item}) => urgency(item),
		size: ({width}, widest) =>
			hasWords(width) ? {width: clamp(widest, 10, 21), rank: 0} : {width: 1, rank: 0, title: safe``},
		text: ({item}) => lookText(sessionLook(item)),
		cell({item}, {now, width}) {
			const {glyph, word, tone} = sessionLook(item, now);
			const isUrgent = item.group === 'needs';
			const isSpelled = hasWords(width) && word !== glyph;
			return [
				span(glyph, tone, {bold: isUrgent}),
				...(isSpelled ? [span(safe` ${word}`, isUrgent ? tone : 'dim')] : []),
			];
		},
		show: ({item}, {now}) => cleanLine(shownState(item, now)),
	},
	{
		name: 'since',
		value: ({item}) => isoTime(item.since),
		json: ({item}) => item.since,
		show: ({item}, {now}) => ago(item.since, now),
	},
	{
		name: 'title',
		value: ({item}) => item.name,
		json: ({item}) => item.name,
		size: ({width}, widest) => ({
			width: hasWords(width) ? 30 : 14,
			// A long title leaves the tags of a wide table their place.
			max: Math.min(widest, Math.max(60, Math.floor(width * 0.4))),
			rank: 0,
			// Before the tags get their width.
			growAfter: 6,
		}),
		text: ({item}) => `${item.isPinned ? pinMark : ''}${item.name}`,
		cell: titleCell,
	},
	{name: 'computer', value: ({computer}) => computer, size: nameSize(3)},
	{name: 'branch', value: ({item}) => folderOf(item)?.branch, size: nameSize(3)},
	{
		name: 'changed',
		isNumber: true,
		value: ({item}) => lineText(changedLines(folderOf(item))),
		sortKey: ({item}) =>
			largestFirst((folderOf(item)?.added ?? 0) + (folderOf(item)?.removed ?? 0) || undefined),
		size: (_, widest) => ({width: clamp(widest, 7, 28), rank: 3}),
		cell({item}) {
			const counts = changedLines(folderOf(item));
			return counts.length > 0 ? counts : [span(safe`-`, 'dim')];
		},
	},
	{name: 'model', value: ({model}) => model, size: nameSize(6)},
	{
		name: 'messages',
		isNumber: true,
		value: ({messages}) => messages,
		size: {width: 8, rank: 5},
		cell: ({messages, hasMoreMessages}, _, width) => [
			span(countText(messages, hasMoreMessages, width), 'dim'),
		],
	},
	{
		name: 'unread',
		isNumber: true,
		value: ({unread}) => unread,
		json: ({unread}) => unread,
		size: {width: 6, rank: 2},
		cell: ({unread, isUnreadPartial}, _, width) => [
			span(countText(unread, isUnreadPartial, width), unread ? 'info' : 'dim'),
		],
	},
	{
		name: 'contextLeft',
		title: safe`CTX LEFT`,
		isNumber: true,
		value: row => row.contextLeft,
		json: row => row.contextLeft,
		sortKey: row => row.contextLeft,
		size: {width: 8, rank: 4},
		cell: ({contextLeft: left}) => [
			span(left === undefined ? safe`-` : safe`${left} %`, isContextLow(left) ? 'warn' : 'dim'),
		],
	},
	{name: 'tokens', isNumber: true, value: ({tokens}) => tokens, size: {width: 6, rank: 4}},
	{
		name: 'cost',
		isNumber: true,
		value: ({cost}) => cost,
		json: ({cost}) => cost,
		title: safe`USD`,
		size: {width: 6, rank: 6},
		cell: ({cost}) => [span(costText(cost), 'dim')],
	},
	{
		name: 'activeAt',
		title: safe`ACTIVE`,
		isNumber: true,
		value: ({activeAt}) => isoTime(activeAt),
		json: ({activeAt}) => activeAt,
		sortKey: ({activeAt}) => largestFirst(activeAt),
		size: {width: 6, rank: 1},
		cell: ({activeAt}, {now}) => [span(since(activeAt, now), 'dim')],
	},
	{
		name: 'tags',
		value: ({tags}) => tags.join(' '),
		size: {width: 8, max: 24, rank: 7},
		cell: ({tags}, _, width) => [
			span(
				tags.length === 0 ? safe`-` : cutEnd(cleanLine(tags.map(tag => `#${tag}`).join(' '), 80), width),
				tags.length === 0 ? 'dim' : 'info',
			),
		],
	},
	{
		name: 'refreshed',
		value: ({item}) => isoTime(item.known?.fetchedAt),
		show: ({item}, {now}) => ago(item.known?.fetchedAt, now),
	},
	{name: 'origin', value: ({item}) => item.known?.origin},
];

/** The export of sessions, with the columns of `sessions list`. */
export function sessionsTable(rows: readonly SessionRow[]): ExportTable {
	return createExportTable('sessions', sessionColumns, rows, row =>
		withOurs({sessionId: row.item.id, ...row.item.known?.session}, sessionColumns, row),
	);
}

const folderOf = ({known}: SessionItem) => known?.session?.workFolder;

/** Minimum table width, in columns, that spells states out. */
const minStateWidth = 70;
const hasWords = (width: number) => width >= minStateWidth;

/** A name: at least 14 columns if it needs them, and more after the titles. */
function nameSize(rank: number): SessionColumn['size'] {
	return (_, widest) => ({width: clamp(widest, 8, 14), max: Math.min(widest, 60), rank});
}

function clamp(width: number, min: number, max: number): number {
	return Math.max(min, Math.min(max, width));
}

const pinMark = safe`◆ `;

function titleCell({item}: SessionRow, {drafted}: SessionContext, width: number): Line {
	const isQuiet = item.group === 'ended' || item.group === 'seen' || item.state === 'unknown';
	const pin = item.isPinned ? [span(pinMark, 'accent')] : [];
	const draft = drafted?.has(item.id) ? [span(safe` ${draftMark}`, 'info')] : [];
	const queued = item.hasQueued ? [span(safe` ${queuedMark}`, 'warn')] : [];
	const room = width - lineWidth([...pin, ...queued, ...draft]);
	return [...pin, span(cutEnd(cleanLine(item.name), room), isQuiet ? 'dim' : undefined), ...queued, ...draft];
}

function countText(count: number | undefined, isPartial: boolean, width: number): Safe {
	return safe`${numberIn(count, width)}${isPartial ? safe`+` : safe``}`;
}

function costText(cost: number | undefined): Safe {
	if (cost === undefined) return safe`-`;
	return cost > 0 && cost < 0.01 ? safe`< 0.01` : cleanLine(cost.toFixed(2));
}

function since(at: number | undefined, now: number): Safe {
	return age(at === undefined ? undefined : now - at);
}

function ago(at: number | undefined, now: number): Safe {
	return at === undefined ? safe`-` : safe`${since(at, now)} ago`;
}

/** States, most urgent first. `unknown` isn't among them and comes last. */
const states: readonly SessionState[] = [
	'permission',
	'input',
	'error',
	'unsent',
	'done',
	'working',
	'pending',
	'idle',
	'raw',
	'ended',
];

/** Sorts by state; acknowledged, snoozed and settled sessions come after all that need the user. */
function urgency({state, mark, isSettled}: SessionItem): number | undefined {
	const position = states.indexOf(state);
	if (position < 0) return undefined;
	return mark || isSettled ? states.indexOf('done') + 0.5 : position;
}
