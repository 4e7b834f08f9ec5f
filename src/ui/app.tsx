import {Box, useWindowSize} from 'ink';
import {useEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import {dispatchKey, dispatchPaste} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {streamsOf} from '../state/split.ts';
import {replyingTo, type View} from '../state/view.ts';
import {composerRows} from './composer/composer-rows.ts';
import {contextsOf, keyState} from './contexts.ts';
import {Dialogs} from './dialogs/dialogs.tsx';
import {filterProblems} from './filter/filter-choices.ts';
import {FilterPane} from './filter/filter-pane.tsx';
import {keyLayers} from './key-layers.ts';
import {useKeys} from './kit/use-keys.ts';
import {type Layout, layoutPanes, screenReaderColumns} from './layout.ts';
import {locationLabel} from './location-label.ts';
import {useMouse} from './mouse/use-mouse.ts';
import {FooterPane} from './panes/footer-pane.tsx';
import {HeaderPane} from './panes/header-pane.tsx';
import {TinyNote} from './panes/tiny-note.tsx';
import {isOutside} from './stream/is-outside.ts';
import {themeOf} from './theme/theme.ts';
import {ThemeContext} from './theme/use-theme.ts';
import {type AppParts, AppProvider, useApp} from './use-app.ts';
import {useLists} from './use-lists.ts';
import {useOpenStreams} from './use-open-streams.ts';
import {CurrentView} from './views/current-view.tsx';

/** The whole screen. */
export function App({parts}: {readonly parts: AppParts}) {
	const display = useStore(parts.display);
	const theme = useMemo(() => themeOf(display), [display]);
	return (
		<AppProvider value={parts}>
			<ThemeContext value={theme}>
				<Screen parts={parts} />
			</ThemeContext>
		</AppProvider>
	);
}

function Screen({parts}: {readonly parts: AppParts}) {
	const {stores, view: viewStore} = parts;
	const {columns: all, rows} = useWindowSize();
	const isScreenReader = useStore(parts.display, display => display.isScreenReader);
	const columns = isScreenReader ? Math.min(all, screenReaderColumns) : all;
	const view = useStore(viewStore);
	const lists = useLists(parts);
	const isSession = view.shown?.kind === 'session';
	const shownId = view.shown?.id ?? '';
	const shownItem = lists.all.sessionsById.get(shownId);
	const streams = streamsOf(view);
	const isInLists = view.focus === 'lists' || replyingTo(view) !== undefined;
	const focusedStream = streams.indexOf(shownId);
	const hasComposer = useStore(
		stores.streams,
		({open}) => isSession && !isOutside(shownItem, open.get(shownId)),
	);
	const composer = useStore(parts.composers, ({bySession}) =>
		composerRows(bySession.get(view.shown?.id ?? ''), columns, view.shares.work),
	);
	const layout = useMemo(
		() =>
			layoutPanes(columns, rows, {
				needs: lists.needs.length,
				sessions: lists.sessions.length,
				computers: lists.computers.length,
				composer: hasComposer ? composer : 0,
				streams: {count: streams.length, focused: focusedStream},
				share: view.shares.work,
				heightShare: view.heights.work,
				isScreenReader,
				isFirst: !parts.isConnected && lists.computers.length === 0,
				side: isInLists && (parts.isConnected || lists.computers.length > 0) ? 'lists' : 'main',
			}),
		[
			columns,
			rows,
			isScreenReader,
			lists,
			hasComposer,
			composer,
			streams.length,
			focusedStream,
			isInLists,
			view.shares.work,
			view.heights.work,
			parts.isConnected,
		],
	);
	parts.sizes.lists = (layout.sessions?.height ?? 2) - 2;
	parts.sizes.main = (layout.main ?? layout.sessions)?.width ?? columns;
	useWatchedComputer(parts, view.shown?.kind === 'computer' && view.page === 'work' ? shownId : undefined);
	const visible = visibleStreams(layout, streams, shownId);
	parts.sizes.streams = view.page === 'work' && layout.main ? visible : [];
	useOpenStreams(parts, visible, isSession ? shownId : undefined, view.page === 'work');

	const latest = useRef(lists);
	latest.current = lists;
	useKeys(
		(press, isAlone) => {
			parts.ticker.refresh();
			dispatchKey(
				keyLayers(parts, () => latest.current),
				press,
				isAlone,
			);
		},
		text =>
			dispatchPaste(
				keyLayers(parts, () => latest.current),
				text,
			),
	);
	useMouse(parts);
	useEffect(() => stores.fleet.subscribe(parts.ticker.refresh), [stores.fleet, parts.ticker]);

	return (
		<Box width={columns} height={rows} overflow="hidden">
			{layout.mode === 'tiny' ? (
				<TinyNote columns={columns} rows={rows} />
			) : (
				<>
					<Header layout={layout} lists={lists} view={view} />
					{/* Under a dialog that is read aloud there is nothing to be read. */}
					{!(isScreenReader && view.dialogs.length > 0) && (
						<CurrentView layout={layout} lists={lists} view={view} />
					)}
					{view.isFiltering && <FilterPane layout={layout} lists={lists} view={view} />}
					<Footer layout={layout} lists={lists} view={view} />
					<Dialogs layout={layout} lists={lists} view={view} />
				</>
			)}
		</Box>
	);
}

type Props = {readonly layout: Layout; readonly lists: Lists; readonly view: View};

function Header({layout, lists, view}: Props) {
	const place = locationLabel(layout, lists, view);
	if (!layout.header) return undefined;
	return <HeaderPane rect={layout.header} counts={lists.counts} {...(place !== undefined && {place})} />;
}

function Footer({layout, lists, view}: Props) {
	const parts = useApp();
	// Re-render with the log: the available key actions depend on it. The log is empty while off screen.
	useStore(parts.stores.events, log => log.entries);
	if (!layout.footer) return undefined;
	return (
		<FooterPane
			rect={layout.footer}
			view={view}
			contexts={contextsOf(view, parts.isConnected)}
			facts={keyState(parts, view, lists)}
			hidden={lists.hidden}
			problems={filterProblems(view, lists)}
		/>
	);
}

/** The streams that fit the layout. */
function visibleStreams(layout: Layout, streams: readonly string[], shownId: string): readonly string[] {
	const {first, rects} = layout.streams ?? {first: streams.indexOf(shownId), rects: [layout.main]};
	return streams.slice(Math.max(0, first), first + rects.length);
}

/** Requests the computer on screen even if the service doesn't know it. */
function useWatchedComputer({actions: {engine}}: AppParts, computerId: string | undefined): void {
	useEffect(
		() => (computerId === undefined ? undefined : engine.watchComputer(computerId)),
		[engine, computerId],
	);
}
