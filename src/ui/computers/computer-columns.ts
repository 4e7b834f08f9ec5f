import {type Progress, progress} from '../../domain/computers/provisioning.ts';
import type {ComputerItem} from '../../state/computers/computer-items.ts';
import type {ComputerRow} from '../../state/computers/computer-rows.ts';
import type {ComputerOrder, ComputersViewState} from '../../state/view/view-states.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {age, wholeDuration} from '../../text/values/times.ts';
import {barLine} from '../kit/bar.ts';
import {firstFitting, fitTable, sortedBy, type TableColumn, textColumn} from '../kit/columns.ts';
import {computerLook, isProvisioning, providerWords} from '../looks/computer-look.ts';
import {strings} from './strings.ts';

/** Minimum pane width, in columns, that spells states out. */
const minStateWidth = 50;
const countWidth = 5;
/** A progress bar narrower than `min` cells is unreadable. */
const barWidth = {min: 3, max: 8} as const;
/** The name column's width: `min` is reserved before less important columns are shown; `max` caps it. */
const nameWidth = {min: 11, max: 20} as const;
/** The widest short name of a provider. */
const providerWidth = 13;
const maxTextLength = 40;
/** `1m 52s / 4m 00s` while the steps run, `12m 05s` when they have finished. */
const timeWidth = {running: 15, over: 7} as const;

/** Columns that the widest cells need, for texts of up to {@link maxTextLength} characters. */
export type ContentWidths = Readonly<Record<'name' | 'time' | 'provider' | 'host' | 'user', number>>;

/** Measures all computers, so that columns don't move when the list is filtered or scrolled. */
export function contentWidths(computers: readonly ComputerItem[]): ContentWidths {
	const widest = (textOf: (item: ComputerItem) => string | undefined) =>
		computers.reduce(
			(widest, item) => Math.max(widest, textWidth(cleanLine(textOf(item) ?? '', maxTextLength))),
			0,
		);
	return {
		name: widest(({name}) => name),
		time: computers.some(isProvisioning) ? timeWidth.running : timeWidth.over,
		provider: widest(({known}) => providerWords(known.computer?.providerType)?.join(' ')),
		host: widest(({known}) => known.computer?.hostname),
		user: widest(({known}) => known.computer?.remoteUser),
	};
}

type Table = {
	/** Available columns. */
	readonly width: number;
	readonly now: number;
	readonly widths: ContentWidths;
	readonly progressOf: (row: ComputerRow) => Progress;
} & Pick<ComputersViewState, 'order' | 'isReversed'>;

/** The columns of the computer table that fit, always including the sort column. */
export function computerColumns(table: Table): readonly TableColumn<ComputerRow>[] {
	const columns = {...stateColumns(table), ...placeColumns(table.widths), read: readColumn(table.now)};
	return fitTable(sortedBy(columns, Object.keys(columns) as ComputerOrder[], table), table.width);
}

/** Whether the table has room for the READ column, whose ages change over time. */
export function showsAges(size: Omit<Table, 'now' | 'progressOf'>): boolean {
	const columns = computerColumns({...size, now: 0, progressOf: () => noProgress});
	return columns.some(({title}) => title === strings.columns.read);
}

const noProgress = progress({id: ''}, () => undefined, 0);

function stateColumns({width, widths, progressOf}: Table) {
	const hasWords = width >= minStateWidth;
	return {
		state: {
			title: hasWords ? strings.columns.state : safe``,
			width: hasWords ? 14 : 1,
			rank: 0,
			cell({item}) {
				const {glyph, word, tone} = computerLook(item);
				return hasWords
					? [span(glyph, tone), span(safe` ${word}`, tone === 'good' ? 'dim' : tone)]
					: [span(glyph, tone)];
			},
		},
		name: {
			title: strings.columns.name,
			width: Math.max(nameWidth.min, Math.min(nameWidth.max, widths.name)),
			max: widths.name,
			rank: 0,
			growthRank: 4,
			cell: ({item}) => [span(cleanLine(item.name), item.known.computer ? undefined : 'dim')],
		},
		steps: {
			title: strings.columns.steps,
			width: countWidth,
			max: countWidth + barWidth.max,
			rank: 1,
			cell: stepsCell,
		},
		time: {
			title: strings.columns.time,
			width: widths.time,
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
	if (total === 0) return [span(safe`-`, 'dim')];
	const room = width - countWidth;
	const bar = room < barWidth.min ? [] : barLine(done / total, room, computerLook(item).tone);
	const count = pad(safe`${done}/${total}`, countWidth, bar.length > 0 ? 'end' : 'start');
	return [...bar, span(count, state === 'active' ? 'dim' : undefined)];
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

/**
 * Rounds an estimate (ms) up: to 10 seconds below ten minutes, otherwise to the minute. Rounding up keeps it
 * at or above the elapsed time.
 */
function estimate(ms: number): Safe {
	const rounded = Math.ceil(ms / tenSeconds) * tenSeconds;
	return rounded < 10 * minute ? wholeDuration(rounded) : age(Math.ceil(ms / minute) * minute);
}

function placeColumns(widths: ContentWidths) {
	return {
		provider: {
			title: strings.columns.provider,
			width: Math.max(8, Math.min(providerWidth, widths.provider)),
			max: widths.provider,
			rank: 8,
			cell: ({item}, width) => providerCell(item.known.computer?.providerType, width),
		},
		host: textColumn(
			strings.columns.host,
			{width: 16, max: widths.host, rank: 6},
			({item}) => item.known.computer?.hostname,
		),
		user: textColumn(
			strings.columns.user,
			{width: 10, max: widths.user, rank: 7},
			({item}) => item.known.computer?.remoteUser,
		),
	} satisfies Partial<Record<ComputerOrder, TableColumn<ComputerRow>>>;
}

/** Our name for a provider and, if there is room, the contract's beside it; or a short name. */
function providerCell(providerType: string | undefined, width: number): Line {
	const choices = [false, true].flatMap((isShort): Line[] => {
		const [words = safe`-`, contractWord] = providerWords(providerType, isShort) ?? [];
		return [[span(words), ...(contractWord ? [span(safe` ${contractWord}`, 'dim')] : [])], [span(words)]];
	});
	return firstFitting(choices, width);
}

function readColumn(now: number): TableColumn<ComputerRow> {
	return {
		title: strings.columns.read,
		width: 6,
		isNumber: true,
		rank: 5,
		cell({item: {known}, isStale}, width) {
			const readAge = age(known.fetchedAt === undefined ? undefined : now - known.fetchedAt);
			return [span(pad(isStale ? safe`✗ ${readAge}` : readAge, width, 'end'), isStale ? 'bad' : 'dim')];
		},
	};
}
