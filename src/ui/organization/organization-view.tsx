import {useEffect, useLayoutEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import type {Loaded, Organization, OrganizationPart} from '../../state/organization/organization.ts';
import {
	type OrganizationViewState,
	type PageCursor,
	pageKey,
} from '../../state/organization/organization-view-state.ts';
import {filterOf, type View} from '../../state/view/view.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {bannerProblem, withoutRequest} from '../banner-lines.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {listTop} from '../kit/scroll.ts';
import {moreBelow} from '../kit/strings.ts';
import {ageChangedAt, ageChangesAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {bodyOf, type Layout, type Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {hasBackgrounds} from '../theme/theme.ts';
import {useDisplay} from '../theme/use-theme.ts';
import {useApp} from '../use-app.ts';
import {controlsPage} from './controls-page.ts';
import {movePageCursor, orderedTable} from './organization-bindings.ts';
import {type Page, type PageContext, pageTitle, textPage} from './page.ts';
import {ageText, joinedLines, stateLines} from './page-state.ts';
import {readinessPage} from './readiness-page.ts';
import {usagePage} from './usage-page.ts';
import {usersPage} from './users-page.ts';

export type OrganizationPage = 'usage' | 'readiness' | 'controls' | 'users';

type PageOf = (
	organization: Organization,
	viewState: OrganizationViewState,
	context: PageContext,
) => Page | undefined;

/** Builds the page of each organization view; undefined before its data is read. */
export const organizationPages: Readonly<Record<OrganizationPage, PageOf>> = {
	usage: usagePage,
	readiness: readinessPage,
	controls: controlsPage,
	users: usersPage,
};

const rangedParts: ReadonlySet<OrganizationPart> = new Set(['usage', 'people']);

/** Reads a part of the organization while it is on screen, and again when the user refreshes. */
function useOrganizationPart(
	part: OrganizationPart | undefined,
	{range, refreshCount}: OrganizationViewState,
): void {
	const {actions} = useApp();
	const lastRefreshCount = useRef(refreshCount);
	const choice = part && rangedParts.has(part) ? range : 'all';
	useEffect(() => {
		const isRefresh = lastRefreshCount.current !== refreshCount;
		lastRefreshCount.current = refreshCount;
		return part && actions.organization.read(part, choice, isRefresh);
	}, [actions.organization, part, choice, refreshCount]);
}

/** Cache size: several screens of rows. A row with a 90-day heat map takes a few kilobytes. */
const maxCachedRows = 400;

/** Caches a page's rows, so moving the cursor draws only rows that come into view. */
export function cacheRows(page: Page): Page {
	const rows = new Map<number, Line>();
	return {
		...page,
		row(index) {
			const cached = rows.get(index);
			if (cached) return cached;
			if (rows.size >= maxCachedRows) rows.clear();
			const line = page.row(index);
			rows.set(index, line);
			return line;
		},
	};
}

type Props = {readonly layout: Layout; readonly view: View; readonly name: OrganizationPage};

/** One of the organization's views. Reads its data only while it is on screen. */
export function OrganizationView({layout, view, name}: Props) {
	const {stores, keys, profile} = useApp();
	const {organization: viewState} = view;
	const [part, joined] = partsOf(name, viewState);
	useOrganizationPart(part, viewState);
	useOrganizationPart(joined, viewState);

	const organization = useStore(stores.organization);
	/** Why the service can't be used, in the banner's words. */
	const banner = useStore(stores.connection, connection => {
		const problem = bannerProblem(connection);
		return problem && withoutRequest(problem.what);
	});
	const rect = bodyOf(layout);
	const display = useDisplay();
	const {isAscii, isScreenReader} = display;
	const table = orderedTable(view);
	const size = {
		width: rect.width - 4,
		height: rect.height - 2,
		isAscii,
		hasHalfCells: !isAscii && hasBackgrounds(display),
		isScreenReader,
		isEmbedded: profile.isConnected && profile.host === undefined,
		creditPrice: profile.creditPrice,
		filter: filterOf(view),
		hidden: table && view.hiddenColumns[table],
	};
	const loaded = organization[part];
	const {readAt} = loaded;
	const shownAt = useNow(at => (readAt === undefined ? undefined : ageChangesAt(readAt, at)));
	// One time for all ages on the page, so that none contradicts when the data was read.
	const now = ageChangedAt(readAt ?? 0, shownAt);
	const {cursors, ...content} = viewState;
	// Usage shows no ages, and its charts are costly.
	const time = name === 'usage' ? 0 : now;
	// Moving the cursor doesn't change the page, so don't rebuild its charts and sorting.
	const pageInputs = JSON.stringify([name, size, time, content]);
	const joinedData = joined && organization[joined].data;
	// biome-ignore lint/correctness/useExhaustiveDependencies: `pageInputs` stands for the objects that it is made of
	const page = useMemo(() => {
		const context = {...size, now: time, label: keys.label};
		const built = organizationPages[name](organization, viewState, context);
		return built && cacheRows(built);
	}, [pageInputs, loaded.data, joinedData]);
	const key = keys.label('read-again');
	const isSaid = ({problem}: Loaded<unknown>) =>
		banner !== undefined && problem && withoutRequest(problem.what) === banner;
	const address = part === 'readiness' ? 'app' : 'base';
	const until = useStore(stores.connection, ({waitUntil}) => waitUntil?.[address] ?? 0);
	const isOver = useNow(at => (until > at ? until : undefined)) >= until;
	const waitUntil = isOver ? undefined : until;
	const state = stateLines(loaded, now, size.width, key, {isSaid: isSaid(loaded), waitUntil});
	const joinedState =
		joined && loaded.data && !isSaid(organization[joined])
			? joinedLines(organization[joined], joinedNames[joined], size.width, key)
			: [];
	const above = [...state, ...joinedState];
	// Where there is no data yet, its place says why, so that the tabs above it stay where they are.
	const isUnread = loaded.data === undefined;
	const shown = page ?? textPage(pageTitle(name), [], []);
	return (
		<OrganizationPane
			rect={rect}
			page={
				isUnread
					? {...shown, empty: state}
					: withNotes(shown, [loaded, ...(joined ? [organization[joined]] : [])])
			}
			state={!isUnread && above.length > 0 ? [...above, []] : []}
			right={ageText(loaded, joined && organization[joined], now, waitUntil)}
			cursor={cursors[pageKey(name, viewState)]}
		/>
	);
}

/** Adds notes on missing data to the page's exports. */
function withNotes(page: Page, parts: readonly Loaded<unknown>[]): Page {
	const {data} = page;
	const notes = parts.flatMap(part => {
		const state = part.data === undefined ? 'not read' : 'not up to date';
		return [...(part.note ? [part.note] : []), ...(part.problem ? [`${state}: ${part.problem.what}`] : [])];
	});
	return data && notes.length > 0 ? {...page, data: () => ({...data(), notes})} : page;
}

const joinedNames = {users: safe`User list`, people: safe`User activity`} as const;

/** The part a page shows, and the part joined with it, which may arrive later or never. */
function partsOf(
	name: OrganizationPage,
	{tab}: OrganizationViewState,
): readonly [OrganizationPart, ('users' | 'people')?] {
	if (name === 'users') return ['users', 'people'];
	return name === 'usage' && tab === 'people' ? ['people', 'users'] : [name];
}

type PaneProps = {
	readonly rect: Rect;
	readonly page: Page;
	/** Lines above the page: how far it is read, or why it couldn't be. */
	readonly state: readonly Line[];
	readonly right: Line;
	readonly cursor: PageCursor | undefined;
};

/** Minimum visible list rows; the lines above are cut to fit. */
const minRows = 3;

/** Draws a page: its fixed lines, and a window of its list. */
export function OrganizationPane({rect, page, state, right, cursor}: PaneProps) {
	const parts = useApp();
	const {screen} = parts;
	const {title, heading, count, row, isText = false, empty = []} = page;
	const inner = rect.height - 2;
	const fixed = [...state, ...page.head, ...(heading ? [heading] : [])].slice(
		0,
		Math.max(0, inner - minRows),
	);
	const height = Math.max(1, inner - fixed.length);
	const index = cursorIndex(page, cursor);
	const top = useRef(0);
	const start = isText
		? Math.max(0, Math.min(index, count - height))
		: listTop(top.current, index, height, count);
	top.current = start;
	const shown = Math.max(0, Math.min(height, count - start));
	const shownPage = {
		count: isText ? Math.max(0, count - height) + 1 : count,
		height,
		idOf: page.idOf,
		data: page.data,
		index: isText ? start : index,
	};
	// Before the dialog of the columns is drawn, which lies over it.
	screen.columns = page.columns;
	useLayoutEffect(() => {
		screen.page = shownPage;
	});
	useZone({
		rect,
		order: zoneOrder.pane,
		press({x, y}, isDouble) {
			const line = y - 1;
			const listRow = line - fixed.length;
			// `x - 2`: skips the border and the blank column at the left.
			const action = line < fixed.length ? page.headAction?.(line - state.length, x - 2) : undefined;
			if (action) parts.input.perform(parts, action);
			if (isText || listRow < 0 || listRow >= shown) return;
			movePageCursor(parts, start + listRow);
			if (isDouble) parts.input.perform(parts, 'open-row');
		},
		wheel: by => movePageCursor(parts, (screen.page?.index ?? index) + by),
	});
	const rows = Array.from({length: shown}, (_, at): Row => {
		const isCursor = !isText && start + at === index;
		const marker = isCursor ? span(safe`▌`, 'accent') : span(safe` `);
		return {line: [marker, ...row(start + at)], isSelected: isCursor};
	});
	const fixedRows = (lines: readonly Line[]) => lines.map((line): Row => ({line: [span(safe` `), ...line]}));
	return (
		<Pane
			rect={rect}
			title={title}
			right={right}
			bottom={moreBelow(count - start - shown)}
			isFocused
			body={[...fixedRows(fixed), ...(count === 0 ? fixedRows(empty) : rows)]}
		/>
	);
}

/** Current index of the cursor's row: found by id, otherwise where it was last. */
function cursorIndex({count, idOf}: Page, cursor: PageCursor | undefined): number {
	if (!cursor || count === 0) return 0;
	const index = Math.max(0, Math.min(count - 1, cursor.index));
	if (cursor.id === undefined || !idOf || idOf(index) === cursor.id) return index;
	for (let row = 0; row < count; row++) if (idOf(row) === cursor.id) return row;
	return index;
}
