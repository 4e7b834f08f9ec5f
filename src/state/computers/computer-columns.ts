import {providerTitles} from '../../domain/computers/computer.ts';
import type {Progress} from '../../domain/computers/provisioning.ts';
import {type Filter, isMatch, parseFilter} from '../../domain/list-filter/filter.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {firstFitting, type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {barLine} from '../../text/charts/bar.ts';
import {age, isoTime, wholeDuration} from '../../text/values/times.ts';
import type {Fleet} from '../fleet.ts';
import type {Filterables} from '../lists/list-filtering.ts';
import type {Lists} from '../lists/lists.ts';
import {type Column, fieldsOf, orderRows, type TableContext} from '../rows/column.ts';
import {rememberLast} from '../rows/remember.ts';
import {naturalKey, type TableOrder} from '../rows/table-rows.ts';
import {type SessionCount, sessionsOn} from '../sessions/session-counts.ts';
import {
	type ComputerCondition,
	type ComputerItem,
	type ComputerState,
	computerStates,
	conditionOf,
} from './computer-items.ts';
import {computerLook, providerWords} from './computer-look.ts';

export type ComputerRow = SessionCount & {
	readonly item: ComputerItem;
	readonly condition: ComputerCondition;
	/** The last read failed, so the data is out of date. */
	readonly isStale: boolean;
	/** Elapsed ms of its steps, fixed when rows are sorted so that rows don't move as time passes. */
	readonly elapsed?: number | undefined;
};

const noSessions: SessionCount = {sessions: 0, needs: 0};

export function computerRow(
	item: ComputerItem,
	more: Partial<Pick<ComputerRow, 'isStale' | 'elapsed'>> & SessionCount = noSessions,
): ComputerRow {
	return {item, condition: conditionOf(item), isStale: false, ...more};
}

type ComputerContext = TableContext & {readonly progressOf: (row: ComputerRow) => Progress};

type ComputerColumn = Column<ComputerRow, ComputerContext>;

/** Columns of `12/12`. */
const countWidth = 5;

/** Every column of a computer, in the order of the screen and of `computers list`. */
export const computerColumns: readonly ComputerColumn[] = [
	{name: 'id', value: ({item}) => item.id, show: ({item}) => cleanLine(item.id)},
	{
		name: 'state',
		value: stateOf,
		json: stateOf,
		sortKey: ({condition}) => computerStates.indexOf(condition.state),
		size: ({width}, widest) =>
			hasWords(width) ? {width: clamp(widest, 14, 18), rank: 0} : {width: 1, rank: 0, title: safe``},
		text: ({item}) => `✓ ${computerLook(item).word}`,
		cell({item}, {width}) {
			const {glyph, word, tone} = computerLook(item);
			const words = hasWords(width) ? [span(safe` ${word}`, tone === 'good' ? 'dim' : tone)] : [];
			return [span(glyph, tone), ...words];
		},
	},
	{
		name: 'name',
		value: ({item}) => item.name,
		size: (_, widest) => ({width: clamp(widest, 11, 20), max: Math.min(widest, 40), rank: 0, growAfter: 4}),
		cell: ({item}) => [span(cleanLine(item.name), item.known.computer ? undefined : 'dim')],
	},
	{
		name: 'steps',
		value: ({condition: {done, total}}) => (total === 0 ? undefined : `${done}/${total}`),
		sortKey: ({condition: {done, total}}) => (total === 0 ? undefined : done / total),
		size: {width: countWidth, max: countWidth + 8, rank: 1},
		cell: stepsCell,
	},
	{
		name: 'time',
		value: ({elapsed}) => elapsed,
		size: (_, width) => ({width, rank: 3}),
		text: ({condition}) => (condition.state === 'provisioning' ? '1m 52s / 4m 00s' : '12m 05s'),
		cell: (row, {progressOf}) => timeCell(progressOf(row), row.condition.state === 'provisioning'),
	},
	{
		name: 'sessions',
		value: ({sessions}) => sessions,
		sortKey: ({sessions, needs}) => -(needs * 1e6 + sessions),
		size: {width: 8, rank: 2},
		cell: ({sessions, needs}) => [
			span(sessions === 0 ? safe`-` : safe`${sessions}`, sessions === 0 ? 'dim' : undefined),
			span(needs === 0 ? safe`` : safe`  ! ${needs}`, 'warn'),
		],
	},
	{
		name: 'provider',
		value: ({item}) => item.known.computer?.providerType,
		sortKey({item}) {
			const {providerType = ''} = item.known.computer ?? {};
			return naturalKey(providerTitles.get(providerType)?.title ?? providerType);
		},
		// The widest short name of a provider has 13 columns.
		size: (_, widest) => ({width: clamp(widest, 8, 13), max: Math.min(widest, 40), rank: 8}),
		text: ({item}) => providerWords(item.known.computer?.providerType)?.join(' '),
		cell: ({item}, _, width) => providerCell(item.known.computer?.providerType, width),
	},
	{
		name: 'host',
		value: ({item}) => item.known.computer?.hostname,
		size: (_, widest) => ({width: 16, max: Math.min(widest, 40), rank: 6}),
	},
	{
		name: 'user',
		value: ({item}) => item.known.computer?.remoteUser,
		size: (_, widest) => ({width: 10, max: Math.min(widest, 40), rank: 7}),
	},
	{
		name: 'read',
		isNumber: true,
		value: ({item}) => isoTime(item.known.fetchedAt),
		sortKey: ({item}) => item.known.fetchedAt,
		size: {width: 6, rank: 5},
		cell({item: {known}, isStale}, {now}) {
			const readAge = age(known.fetchedAt === undefined ? undefined : now - known.fetchedAt);
			return [span(isStale ? safe`✗ ${readAge}` : readAge, isStale ? 'bad' : 'dim')];
		},
	},
	{name: 'origin', value: ({item}) => item.known.origin},
];

/** The service's own word, if that isn't one of our states. */
function stateOf({condition: {state}, item}: ComputerRow): string | undefined {
	return state === 'raw' ? item.known.computer?.status : state;
}

/** Minimum table width, in columns, that spells states out. */
const minStateWidth = 50;
const hasWords = (width: number) => width >= minStateWidth;

function clamp(width: number, min: number, max: number): number {
	return Math.max(min, Math.min(max, width));
}

/** A shorter progress bar is unreadable. */
const minBarWidth = 3;

function stepsCell(
	{item, condition: {state, done, total}}: ComputerRow,
	_: ComputerContext,
	width: number,
): Line {
	if (total === 0) return [span(safe`-`, 'dim')];
	const room = Number.isFinite(width) ? width - countWidth : 0;
	const bar = room < minBarWidth ? [] : barLine(done / total, room, computerLook(item).tone);
	const count = safe`${done}/${total}`;
	return [
		...bar,
		span(bar.length > 0 ? pad(count, countWidth, 'end') : count, state === 'active' ? 'dim' : undefined),
	];
}

/** Elapsed time of the steps; while they run, followed by the estimated total. */
function timeCell({elapsed, eta, current}: Progress, isRunning: boolean): Line {
	if (elapsed === undefined) return [span(safe`-`, 'dim')];
	if (!isRunning) return [span(wholeDuration(elapsed), 'dim')];
	const total = eta === undefined || eta === 0 ? safe`` : safe` / ${estimate(elapsed + eta)}`;
	return [span(wholeDuration(elapsed), current?.isLong ? 'warn' : undefined), span(total, 'dim')];
}

const tenSeconds = 10_000;
const minute = 60_000;

/** Rounds an estimate (ms) up: to 10 seconds below ten minutes, otherwise to the minute. */
function estimate(ms: number): Safe {
	const rounded = Math.ceil(ms / tenSeconds) * tenSeconds;
	return rounded < 10 * minute ? wholeDuration(rounded) : age(Math.ceil(ms / minute) * minute);
}

/** Our name for a provider and, if there is room, the contract's beside it; or a short name. */
function providerCell(providerType: string | undefined, width: number): Line {
	const choices = [false, true].flatMap((isShort): Line[] => {
		const [words = safe`-`, contractWord] = providerWords(providerType, isShort) ?? [];
		return [[span(words), ...(contractWord ? [span(safe` ${contractWord}`, 'dim')] : [])], [span(words)]];
	});
	return firstFitting(choices, width);
}

type RowsSource = {
	/** Elapsed ms of a computer's steps. */
	readonly elapsed: (item: ComputerItem) => number | undefined;
	readonly filterables: Filterables;
	readonly problems: Fleet['problems'];
};

/**
 * Filters and sorts the computers; ties keep list order. Takes time proportional to the number of computers
 * and sessions: call it once per change, not per key press.
 */
export function computerRows(
	all: Lists['all'],
	{words, order, isReversed}: TableOrder & {readonly words: string},
	{elapsed, filterables, problems}: RowsSource,
): readonly ComputerRow[] {
	const filter = computersFilter(all, words);
	const rows = all.computers
		.filter(item => isMatch(filter, filterables.computer(item)))
		.map(item =>
			computerRow(item, {
				isStale: problems.has(item.id),
				elapsed: elapsed(item),
				...sessionsOn(all.sessions, item.id),
			}),
		);
	return orderRows(computerColumns, rows, {order, isReversed});
}

/** Remembers the rows while lists, filter, order and problems are the same. */
export function createComputerTable() {
	const remembered = rememberLast<readonly ComputerRow[]>();
	return (
		all: Lists['all'],
		viewState: TableOrder & {readonly words: string},
		source: RowsSource,
	): readonly ComputerRow[] =>
		remembered([all, viewState.words, viewState.order, viewState.isReversed, source.problems], () =>
			computerRows(all, viewState, source),
		);
}

/** Parses the view's filter. An unknown service status counts as a state of its own. */
export function computersFilter({computers}: Lists['all'], words: string): Filter {
	const otherStates = computers.flatMap(({known}) => known.computer?.status?.toLowerCase() ?? []);
	return parseFilter(words, otherStates, fieldsOf(computerColumns));
}

export function countStates(rows: readonly ComputerRow[]): ReadonlyMap<ComputerState, number> {
	const counts = new Map<ComputerState, number>();
	for (const {condition} of rows) counts.set(condition.state, (counts.get(condition.state) ?? 0) + 1);
	return counts;
}
