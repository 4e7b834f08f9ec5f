import type {Progress} from '../../domain/provisioning.ts';
import type {ComputerRow} from '../../state/computer-rows.ts';
import type {ComputerOrder, ComputersReading} from '../../state/computers-reading.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age, wholeDuration} from '../../text/times.ts';
import {barLine} from '../kit/bar.ts';
import {fitTable, type TableColumn} from '../kit/columns.ts';
import {computerLook} from '../panes/computer-state.ts';

/** Columns of a pane from which on states stand in words, and steps as a bar. */
const wordsFrom = 50;
const barFrom = 64;
const countWidth = 5;

type Table = {
	/** Columns there are. */
	readonly width: number;
	readonly now: number;
	readonly progressOf: (row: ComputerRow) => Progress;
} & Pick<ComputersReading, 'order' | 'isReversed'>;

/** The columns of the table of computers that fit, the one it is ordered by among them. */
export function computerColumns(table: Table): readonly TableColumn<ComputerRow>[] {
	const {width, order, isReversed} = table;
	const columns = {...stateColumns(table), ...placeColumns, read: readColumn(table.now)};
	const all = (Object.keys(columns) as ComputerOrder[]).map(name => ({
		...columns[name],
		...(name === order && {order: isReversed ? ('down' as const) : ('up' as const)}),
	}));
	return fitTable(all, width);
}

/** Is there room for what grows older by itself? */
export function showsAges(size: Pick<Table, 'width' | 'order' | 'isReversed'>): boolean {
	const columns = computerColumns({...size, now: 0, progressOf: () => nothing});
	return columns.some(({title}) => title === readTitle);
}

const readTitle = safe`READ`;
const nothing: Progress = {steps: [], done: 0, total: 0, isSettled: true};

function stateColumns({width, progressOf}: Table) {
	const isRoomy = width >= wordsFrom;
	const bar = width >= barFrom ? 8 : 0;
	return {
		state: {
			title: isRoomy ? safe`STATE` : safe``,
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
			title: safe`NAME`,
			width: 11,
			most: 40,
			rank: 0,
			cell: ({item}) => [span(cleanLine(item.name), item.known.computer ? undefined : 'dim')],
		},
		steps: {
			title: safe`STEPS`,
			width: bar + countWidth,
			rank: 1,
			cell: row => stepsCell(row, bar),
		},
		time: {
			title: safe`TIME`,
			width: 15,
			rank: 3,
			cell: row => timeCell(progressOf(row), row.condition.state === 'provisioning'),
		},
		sessions: {
			title: safe`SESSIONS`,
			width: 9,
			rank: 2,
			cell: ({sessions, needs}) => [
				span(sessions === 0 ? safe`-` : safe`${sessions}`, sessions === 0 ? 'dim' : undefined),
				span(needs === 0 ? safe`` : safe`  ! ${needs}`, 'warn'),
			],
		},
	} satisfies Partial<Record<ComputerOrder, TableColumn<ComputerRow>>>;
}

function stepsCell({item, condition: {state, done, total}}: ComputerRow, bar: number): Line {
	if (total === 0) return [span(pad(safe`-`, bar + countWidth), 'dim')];
	const isOver = state === 'active';
	const {tone} = computerLook(item);
	const count = pad(safe`${done}/${total}`, countWidth, bar > 0 ? 'end' : 'start');
	return [...(bar > 0 ? barLine(done / total, bar, tone) : []), span(count, isOver ? 'dim' : undefined)];
}

/** How long the steps took; while they run, how long so far and what it should come to. */
function timeCell({elapsed, eta, current}: Progress, isUnderWay: boolean): Line {
	if (elapsed === undefined) return [span(safe`-`, 'dim')];
	if (!isUnderWay) return [span(wholeDuration(elapsed), 'dim')];
	const all = eta === undefined || eta === 0 ? safe`` : safe` / ${estimate(elapsed + eta)}`;
	return [span(wholeDuration(elapsed), current?.isLong ? 'warn' : undefined), span(all, 'dim')];
}

const coarse = 10_000;
const minute = 60_000;

/** An estimate is not told by the second, nor is it to be less than what has passed. */
function estimate(ms: number): Safe {
	const told = Math.ceil(ms / coarse) * coarse;
	return told < 10 * minute ? wholeDuration(told) : age(Math.ceil(ms / minute) * minute);
}

const placeColumns = {
	provider: plain(safe`PROVIDER`, 8, 7, ({item}) => item.known.computer?.providerType),
	host: plain(safe`HOST`, 16, 5, ({item}) => item.known.computer?.hostname),
	user: plain(safe`USER`, 10, 6, ({item}) => item.known.computer?.remoteUser),
} satisfies Partial<Record<ComputerOrder, TableColumn<ComputerRow>>>;

function plain(
	title: Safe,
	width: number,
	rank: number,
	textOf: (row: ComputerRow) => string | undefined,
): TableColumn<ComputerRow> {
	return {
		title,
		width,
		rank,
		cell: (row, columns) => [span(cutEnd(cleanLine(textOf(row) || '-'), columns), 'dim')],
	};
}

function readColumn(now: number): TableColumn<ComputerRow> {
	return {
		title: readTitle,
		width: 6,
		isNumber: true,
		rank: 4,
		cell({item: {known}, isStale}, width) {
			const past = age(known.fetchedAt === undefined ? undefined : now - known.fetchedAt);
			return [span(pad(isStale ? safe`✗ ${past}` : past, width, 'end'), isStale ? 'bad' : 'dim')];
		},
	};
}
