/** A part of the screen, in cells; `x` and `y` count from 0 at the top left. */
export type Rect = {readonly x: number; readonly y: number; readonly width: number; readonly height: number};

/**
 * `wide`: list column beside the main area. `stacked`: list above it. `single`: one of the two, at full size.
 * `tiny`: too small for anything but a note.
 */
type LayoutMode = 'wide' | 'stacked' | 'single' | 'tiny';

/** Sizes that the panes ask for. */
export type LayoutOptions = {
	/** Lines that each list would fill. */
	readonly needs: number;
	readonly sessions: number;
	readonly computers: number;
	/** Rows of text in the composer; 0 when the main area has none. */
	readonly composer: number;
	/** The side with the focus, which is the one shown in `single` mode. */
	readonly side: 'lists' | 'main';
	/** Number of streams to show side by side, and the index of the focused one. */
	readonly streams?: {readonly count: number; readonly focused: number} | undefined;
	/** The user's choice of the lists' share of the columns beside the main area. */
	readonly share?: number | undefined;
	/** The user's choice of the lists' share of the rows above the main area. */
	readonly heightShare?: number | undefined;
	/** For a screen reader: nothing is placed side by side. */
	readonly isScreenReader?: boolean;
	/** Nothing is set up, so there are no lists yet. */
	readonly isFirstRun?: boolean;
	/** Rows of the banner below the header. */
	readonly banner?: number;
};

/** Rectangles of the whole screen. Parts without a rectangle are not drawn. */
export type Layout = {
	readonly mode: LayoutMode;
	readonly columns: number;
	readonly rows: number;
	/** For a screen reader: one part after the other; a dialog replaces all of them. */
	readonly isScreenReader?: boolean;
	readonly header?: Rect;
	/** The banner above every view: why the service can't be used, and the remedy. */
	readonly banner?: Rect;
	readonly footer?: Rect;
	/** Absent while the sessions pane shows them at its top. */
	readonly needs?: Rect;
	readonly sessions?: Rect;
	readonly computers?: Rect;
	readonly main?: Rect;
	/** The parts of `main` for the streams from `first` on: as many as fit, including the focused one. */
	readonly streams?: {readonly first: number; readonly rects: readonly Rect[]};
	readonly composer?: Rect;
};

/** Maximum columns for a screen reader: views with two sides stack them. */
export const screenReaderColumns = 80;
/** The smallest screen with panes. */
export const minimum = {columns: 40, rows: 10} as const;

export function isTiny({columns, rows}: {readonly columns: number; readonly rows: number}): boolean {
	return columns < minimum.columns || rows < minimum.rows;
}

const minWideColumns = 100;
const minStackedColumns = 60;
/** Fewer rows than this can't stack a list, a stream and a composer. */
const minStackedRows = 16;
/** With fewer rows, a focused main area takes the whole screen, unless the user set the height of the lists. */
const minStackedRowsInMain = 36;
const listWidth = {share: 0.3, min: 28, max: 60} as const;
/** The lists' share of the rows above the main area: the side with the focus has more. */
const stackedShare = {lists: 0.45, main: 0.25} as const;
/** Minimum columns of each side, however the divider between them is dragged. */
const sideMin = {left: 24, right: 40} as const;
/** Minimum rows of the top and the bottom part. */
const heightMin = {top: 5, bottom: 8} as const;
const border = 2;
/** Height the composer may reach on any screen: two rows of text and one of attachments. */
const composerMin = 3;
/** A list pane with fewer than two rows of content is useless. */
const paneMin = 2 + border;
/** Columns or rows that adjoining panes have in common: their border. */
const seam = 1;
/** Minimum readable width of a stream beside another one. */
export const streamMin = 38;
/** Rows of the list column from which the sessions that need the user get their own pane. */
const minNeedsPaneRows = 16;
/** Maximum share of the list column for their pane. */
const needsShare = 0.45;
/** Share of the width that sessions take beside computers: a title and a reason need more than a name and a state. */
const sessionsShare = 0.65;

/**
 * Rectangles of every pane for a screen of `columns` x `rows`, tiling it without gaps. Adjoining panes share a border:
 * their rectangles overlap by it.
 */
export function layoutPanes(columns: number, rows: number, options: LayoutOptions): Layout {
	if (isTiny({columns, rows})) return {mode: 'tiny', columns, rows};
	const header = {x: 0, y: 0, width: columns, height: 1};
	const footer = {x: 0, y: rows - 1, width: columns, height: 1};
	const banner = options.banner ? {x: 0, y: 1, width: columns, height: options.banner} : undefined;
	const body = bodyOf({columns, rows, banner});
	const base = {columns, rows, header, footer, banner};
	if (options.isFirstRun)
		return {...base, mode: 'single', isScreenReader: options.isScreenReader, main: body};
	if (options.isScreenReader)
		return {
			...base,
			mode: 'single',
			isScreenReader: true,
			...oneSide(body, {...options, streams: undefined}),
		};
	if (columns >= minWideColumns) {
		const width =
			leftWidth(columns, options.share) ??
			clamp(Math.round(columns * listWidth.share), listWidth.min, listWidth.max);
		return {
			...base,
			mode: 'wide',
			...columnOfLists({...body, width}, options),
			...mainArea({...body, x: width - seam, width: columns - width + seam}, options),
		};
	}
	const isInMain = options.side === 'main' && options.heightShare === undefined;
	if (columns >= minStackedColumns && rows >= (isInMain ? minStackedRowsInMain : minStackedRows)) {
		const height =
			topHeight(body.height, options.heightShare) ??
			clamp(Math.round(body.height * stackedShare[options.side]), paneMin, 14);
		return {
			...base,
			mode: 'stacked',
			...rowOfLists({...body, height}),
			...mainArea({...body, y: body.y + height - seam, height: body.height - height + seam}, options),
		};
	}
	return {...base, mode: 'single', ...oneSide(body, options)};
}

/** The rows of a view: between the header, or the banner, and the footer. */
export function bodyOf({columns, rows, banner}: Pick<Layout, 'columns' | 'rows' | 'banner'>): Rect {
	const y = 1 + (banner?.height ?? 0);
	return {x: 0, y, width: columns, height: rows - y - 1};
}

/** Columns or rows that adjoining panes have in common; read aloud, panes have no borders. */
export function seamOf({isScreenReader}: Pick<LayoutOptions, 'isScreenReader'>): number {
	return isScreenReader ? 0 : seam;
}

function oneSide(body: Rect, options: LayoutOptions): Partial<Layout> {
	return options.side === 'lists' ? columnOfLists(body, options) : mainArea(body, options);
}

/** Columns of the left side for the user's share, keeping both sides readable. */
export function leftWidth(columns: number, share: number | undefined): number | undefined {
	if (share === undefined) return undefined;
	return clamp(Math.round(columns * share), sideMin.left, columns - sideMin.right);
}

/** Rows of the top part for the user's share; `rows` is the height of both parts. */
export function topHeight(rows: number, share: number | undefined): number | undefined {
	if (share === undefined) return undefined;
	return clamp(Math.round(rows * share), heightMin.top, rows - heightMin.bottom);
}

/** The lists before the Work view's divider, if it has one. */
export function beforeWorkDivider({mode, sessions, columns}: Layout): Rect | undefined {
	if (mode === 'stacked' && sessions) return {...sessions, width: columns};
	return mode === 'wide' ? sessions : undefined;
}

function columnOfLists(area: Rect, options: LayoutOptions): Pick<Layout, 'needs' | 'sessions' | 'computers'> {
	const {x, y, width, height} = area;
	const shared = seamOf(options);
	const third = Math.max(paneMin, Math.floor(height / 3));
	const computers = clamp(options.computers + border, paneMin, third);
	const needsMax = Math.max(third, Math.floor(height * needsShare));
	const needs = height >= minNeedsPaneRows ? needsHeight(options, needsMax) : 0;
	const sessionsY = needs > 0 ? y + needs - shared : y;
	const computersY = y + height - computers;
	return {
		needs: needs > 0 ? {x, y, width, height: needs} : undefined,
		sessions: {x, y: sessionsY, width, height: computersY + shared - sessionsY},
		computers: {x, y: computersY, width, height: computers},
	};
}

/** Only the border while nothing needs the user: the title says so. */
function needsHeight({needs, isScreenReader}: LayoutOptions, max: number): number {
	return needs === 0 && !isScreenReader ? border : clamp(needs + border, paneMin, max);
}

function rowOfLists(area: Rect): Pick<Layout, 'sessions' | 'computers'> {
	const width = Math.min(Math.ceil(area.width * sessionsShare), area.width - sideMin.left);
	return {
		sessions: {...area, width},
		computers: {...area, x: area.x + width - seam, width: area.width - width + seam},
	};
}

function mainArea(area: Rect, options: LayoutOptions): Pick<Layout, 'main' | 'streams' | 'composer'> {
	const parts = mainAndComposer(area, options);
	const {count, focused} = options.streams ?? {count: 1, focused: 0};
	const shown = Math.min(count, streamsIn(area.width));
	if (shown < 2) return parts;
	const first = clamp(focused - shown + 1, 0, count - shown);
	return {...parts, streams: {first, rects: sideBySide(parts.main, shown)}};
}

/** How many streams fit side by side in `width` columns. */
export function streamsIn(width: number): number {
	return Math.max(1, Math.floor((width - seam) / (streamMin - seam)));
}

/** The columns that so many streams need side by side. */
export function streamsWidth(count: number): number {
	return count * (streamMin - seam) + seam;
}

/** Equal parts from left to right, each with its left border; leftover columns go to the first ones. */
function sideBySide({x, width, ...area}: Rect, count: number): Rect[] {
	const each = Math.floor((width - seam) / count);
	const wider = width - seam - each * count;
	return Array.from({length: count}, (_, index) => ({
		...area,
		x: x + each * index + Math.min(index, wider),
		width: each + seam + (index < wider ? 1 : 0),
	}));
}

function mainAndComposer(
	area: Rect,
	options: LayoutOptions,
): Pick<Layout, 'composer'> & {readonly main: Rect} {
	if (options.composer === 0) return {main: area};
	const max = Math.max(composerMin, Math.floor(area.height / 3) - border);
	const height = Math.min(clamp(options.composer, 1, max) + border, area.height - paneMin);
	return {
		main: {...area, height: area.height - height + seamOf(options)},
		composer: {...area, y: area.y + area.height - height, height},
	};
}

function clamp(value: number, min: number, max: number): number {
	return Math.max(min, Math.min(max, value));
}
