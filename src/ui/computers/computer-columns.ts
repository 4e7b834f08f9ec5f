import type {Progress} from '../../domain/computers/provisioning.ts';
import type {ComputerItem} from '../../state/computer-items.ts';
import type {ComputerRow} from '../../state/computer-rows.ts';
import type {ComputerOrder, ComputersReading} from '../../state/reading.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {age, wholeDuration} from '../../text/values/times.ts';
import {barLine} from '../kit/bar.ts';
import {firstFitting, fitTable, type TableColumn} from '../kit/columns.ts';
import {computerLook, isUnderWay, providerWords} from '../looks/computer-look.ts';
import {strings} from './strings.ts';

/** Pane width, in columns, from which states are spelled out. */
const wordsFrom = 50;
const countWidth = 5;
/** A progress bar narrower than `min` cells is unreadable. */
const bar = {min: 3, max: 8} as const;
/** The name column's width: `min` is reserved before less important columns are shown; `max` caps it. */
const nameWidth = {min: 11, max: 20} as const;
/** The widest provider in few words, without the contract's word for it. */
const providerWidth = 13;
const maxTextLength = 40;
/** `1m 52s / 4m 00s` while the steps run, `12m 05s` when they have finished. */
const timeWidth = {running: 15, over: 7} as const;

/** Columns the widest uncut cells need, for texts of up to {@link maxTextLength} characters. */
export type Wholes = Readonly<Record<'name' | 'time' | 'provider' | 'host' | 'user', number>>;

/** Measures all computers, so columns don't move when the list is filtered or scrolled. */
export function wholesOf(computers: readonly ComputerItem[]): Wholes {
	const widest = (textOf: (item: ComputerItem) => string | undefined) =>
		computers.reduce(
			(widest, item) => Math.max(widest, textWidth(cleanLine(textOf(item) ?? '', maxTextLength))),
			0,
		);
	return {
		name: widest(({name}) => name),
		time: computers.some(isUnderWay) ? timeWidth.running : timeWidth.over,
		provider: widest(({known}) => providerWords(known.computer?.providerType)?.join(' ')),
		host: widest(({known}) => known.computer?.hostname),
		user: widest(({known}) => known.computer?.remoteUser),
	};
}

type Table = {
	/** Available columns. */
	readonly width: number;
	readonly now: number;
	readonly wholes: Wholes;
	readonly progressOf: (row: ComputerRow) => Progress;
} & Pick<ComputersReading, 'order' | 'isReversed'>;

/** The columns of the computer table that fit, always including the sort column. */
export function computerColumns(table: Table): readonly TableColumn<ComputerRow>[] {
	const {width, order, isReversed} = table;
	const columns = {...stateColumns(table), ...placeColumns(table.wholes), read: readColumn(table.now)};
	const all = (Object.keys(columns) as ComputerOrder[]).map(name => ({
		...columns[name],
		...(name === order && {order: isReversed ? ('down' as const) : ('up' as const)}),
	}));
	return fitTable(all, width);
}

/** Whether the table has room for the READ column, whose ages change over time. */
export function showsAges(size: Omit<Table, 'now' | 'progressOf'>): boolean {
	const columns = computerColumns({...size, now: 0, progressOf: () => nothing});
	return columns.some(({title}) => title === strings.columns.read);
}

const nothing: Progress = {steps: [], done: 0, total: 0, isSettled: true};

function stateColumns({width, wholes, progressOf}: Table) {
	const isRoomy = width >= wordsFrom;
	return {
		state: {
			title: isRoomy ? strings.columns.state : safe``,
			width: isRoomy ? 14 : 1,
			rank: 0,
			cell({item}) {
				const {glyph, word, tone} = computerLook(item);
				return isRoomy
					? [span(glyph, tone), span(safe` ${word}`, tone === 'good' ? 'dim' : tone)]
					: [span(glyph, tone)];
			},
		},
		name: {
			title: strings.columns.name,
			width: Math.max(nameWidth.min, Math.min(nameWidth.max, wholes.name)),
			max: wholes.name,
			rank: 0,
			growthRank: 4,
			cell: ({item}) => [span(cleanLine(item.name), item.known.computer ? undefined : 'dim')],
		},
		steps: {
			title: strings.columns.steps,
			width: countWidth,
			max: countWidth + bar.max,
			rank: 1,
			cell: stepsCell,
		},
		time: {
			title: strings.columns.time,
			width: wholes.time,
			rank: 3,
			cell: row => timeCell(progressOf(row), row.condition.state === 'provisioning'),
		},
		sessions: {
			title: strings.columns.sessions,
			width: 8,
			rank: 2,
			cell: ({sessions, needs}) => [
				span(sessions === 0 ? safe`-` : safe`${sessions}`, sessions === 0 ? 'dim' : undefined),
				span(needs === 0 ? safe`` : safe`  ! ${needs}`, 'warn'),
			],
		},
	} satisfies Partial<Record<ComputerOrder, TableColumn<ComputerRow>>>;
}

function stepsCell({item, condition: {state, done, total}}: ComputerRow, width: number): Line {
	const cells = width - countWidth < bar.min ? 0 : width - countWidth;
	if (total === 0) return [span(safe`-`, 'dim')];
	const isOver = state === 'active';
	const {tone} = computerLook(item);
	const count = pad(safe`${done}/${total}`, countWidth, cells > 0 ? 'end' : 'start');
	return [...(cells > 0 ? barLine(done / total, cells, tone) : []), span(count, isOver ? 'dim' : undefined)];
}

/** Elapsed time of the steps; while they run, followed by the estimated total. */
function timeCell({elapsed, eta, current}: Progress, isUnderWay: boolean): Line {
	if (elapsed === undefined) return [span(safe`-`, 'dim')];
	if (!isUnderWay) return [span(wholeDuration(elapsed), 'dim')];
	const all = eta === undefined || eta === 0 ? safe`` : safe` / ${estimate(elapsed + eta)}`;
	return [span(wholeDuration(elapsed), current?.isLong ? 'warn' : undefined), span(all, 'dim')];
}

const coarse = 10_000;
const minute = 60_000;

/**
 * Rounds an estimate (ms) up: to 10 seconds below ten minutes, otherwise to the minute. Rounding up keeps it
 * at or above the elapsed time.
 */
function estimate(ms: number): Safe {
	const rounded = Math.ceil(ms / coarse) * coarse;
	return rounded < 10 * minute ? wholeDuration(rounded) : age(Math.ceil(ms / minute) * minute);
}

function placeColumns(wholes: Wholes) {
	return {
		provider: {
			title: strings.columns.provider,
			width: Math.max(8, Math.min(providerWidth, wholes.provider)),
			max: wholes.provider,
			rank: 8,
			cell: ({item}, width) => providerCell(item.known.computer?.providerType, width),
		},
		host: plain(
			strings.columns.host,
			{width: 16, max: wholes.host, rank: 6},
			({item}) => item.known.computer?.hostname,
		),
		user: plain(
			strings.columns.user,
			{width: 10, max: wholes.user, rank: 7},
			({item}) => item.known.computer?.remoteUser,
		),
	} satisfies Partial<Record<ComputerOrder, TableColumn<ComputerRow>>>;
}

/** The user's words, and the contract's beside them: as much as there is room for. */
function providerCell(providerType: string | undefined, width: number): Line {
	const choices = [false, true].flatMap((isShort): Line[] => {
		const [words = safe`-`, contractWord] = providerWords(providerType, isShort) ?? [];
		return [[span(words), ...(contractWord ? [span(safe` ${contractWord}`, 'dim')] : [])], [span(words)]];
	});
	return firstFitting(choices, width);
}

function plain(
	title: Safe,
	size: Pick<TableColumn<ComputerRow>, 'width' | 'max' | 'rank'>,
	textOf: (row: ComputerRow) => string | undefined,
): TableColumn<ComputerRow> {
	return {
		title,
		...size,
		cell: (row, columns) => [span(cutEnd(cleanLine(textOf(row) || '-'), columns), 'dim')],
	};
}

function readColumn(now: number): TableColumn<ComputerRow> {
	return {
		title: strings.columns.read,
		width: 6,
		isNumber: true,
		rank: 5,
		cell({item: {known}, isStale}, width) {
			const past = age(known.fetchedAt === undefined ? undefined : now - known.fetchedAt);
			return [span(pad(isStale ? safe`✗ ${past}` : past, width, 'end'), isStale ? 'bad' : 'dim')];
		},
	};
}
