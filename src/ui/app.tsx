import {Box, useWindowSize} from 'ink';
import {useEffect, useLayoutEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import type {ActionContext} from '../actions/context.ts';
import {targets} from '../state/view/targets.ts';
import {filterOf, mainItem} from '../state/view/view.ts';
import {viewInfo} from '../state/view/view-states.ts';
import {pad} from '../text/cells/cut.ts';
import {span} from '../text/cells/line.ts';
import {safe} from '../text/cells/safe.ts';
import {isComposerEmpty} from './composer/composers.ts';
import {Dialogs} from './dialogs/dialogs.tsx';
import {FilterPane} from './filter/filter-pane.tsx';
import {countInput} from './input.ts';
import {hintsOf} from './keys/hints.ts';
import {Rows} from './kit/pane.tsx';
import {useSame} from './kit/use-same.ts';
import {bannerRows, hasComposer, type ScreenSize, screenLayout, wantedComposerRows} from './layout-now.ts';
import {type Gesture, gestureOf, idlePointer, type PointerState} from './mouse/gesture.ts';
import {cellIn, type Zone, zoneAt} from './mouse/zones.ts';
import {followStreams, releaseStreams} from './open-streams.ts';
import {pageOf} from './pages.ts';
import {FooterPane} from './panes/footer-pane.tsx';
import {BannerPane, HeaderPane} from './panes/header-pane.tsx';
import {useKeys} from './screen-input.ts';
import type {PageProps} from './screen-page.ts';
import {dimmed, paint, themeOf} from './theme/theme.ts';
import {ThemeContext, useTheme} from './theme/use-theme.ts';
import {TinyNote} from './tiny-screen.tsx';
import {type AppParts, AppProvider, useApp} from './use-app.ts';
import {useLists} from './use-lists.ts';

/** Rows that one step of the wheel scrolls. */
const wheelRows = 3;

/** Sends mouse gestures to the zone under the pointer. A drag stays with the zone it started in. */
function useMouse(parts: AppParts): void {
	useEffect(() => {
		let pointer: PointerState = idlePointer;
		let dragged: Zone | undefined;
		return parts.mouse.listen(report => {
			const [next, gesture] = gestureOf(pointer, report, parts.actions.clock.now());
			pointer = next;
			if (!gesture) return;
			// The wheel turns whatever is under the pointer, in a terminal without the focus too.
			parts.away.active(gesture.kind === 'press');
			if (gesture.kind === 'press') countInput(parts);
			parts.ticker.refresh();
			if (gesture.kind === 'drag') dragged?.drag?.(gesture.at);
			else if (gesture.kind === 'release') dragged = undefined;
			else dragged = pressOrScroll(parts, gesture) ?? dragged;
		});
	}, [parts]);
}

/** Passes a press or a scroll to the zone under the pointer; returns the zone in which a press may start a drag. */
function pressOrScroll(parts: AppParts, gesture: Gesture & {kind: 'press' | 'wheel'}): Zone | undefined {
	const hasDialog = parts.view.getState().dialogs.length > 0;
	const zone = zoneAt(parts.zones.values(), gesture.at, hasDialog);
	if (gesture.kind === 'wheel') {
		zone?.wheel?.(gesture.by * wheelRows);
		return undefined;
	}
	zone?.press?.(cellIn(zone, gesture.at), gesture.isDouble);
	return zone;
}

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
	const {stores} = parts;
	const size = useTerminalSize(parts);
	const isScreenReader = useStore(parts.display, display => display.isScreenReader);
	const view = useStore(parts.view);
	const lists = useLists(parts);
	// Renders again when anything changes that the layout depends on.
	useStore(stores.streams, () => hasComposer(parts.stores, view, lists));
	useStore(stores.streams, ({preview}) => preview);
	useStore(stores.connection, () => bannerRows(parts, size));
	useStore(parts.hooks.hint);
	const composer = useStore(parts.composers, () => wantedComposerRows(parts, view, lists, size));
	useStore(parts.composers, () => isComposerEmpty(parts.composers, targets(view).sessionId));
	const layout = useSame(screenLayout(parts, view, lists, size, composer));
	const {columns, rows} = layout;
	const {dialogs} = view;
	const open = mainItem(view);
	const {Component: CurrentView, filter} = pageOf(view);
	const choices = view.isFiltering ? (filter?.choices(parts, view, lists) ?? []) : [];
	const theme = useTheme();
	const dimTheme = useMemo(() => dimmed(theme), [theme]);
	// Under the theme picker, the whole screen is a preview.
	const isCovered = dialogs.length > 0 && dialogs.at(-1)?.kind !== 'themes';
	useWatchedComputer(parts.actions.engine, open?.kind === 'computer' ? open.id : undefined);
	useOpenStreams(parts, open?.kind === 'session' ? open.id : undefined);

	useKeys(parts);
	useMouse(parts);
	useEffect(() => stores.fleet.subscribe(parts.ticker.refresh), [stores.fleet, parts.ticker]);

	return (
		<Box height={rows} overflow="hidden">
			<Background columns={columns} rows={rows} />
			{layout.mode === 'tiny' ? (
				<TinyNote columns={columns} rows={rows} />
			) : (
				<>
					<ThemeContext value={isCovered ? dimTheme : theme}>
						<Header layout={layout} lists={lists} view={view} />
						<BannerPane layout={layout} />
						{/* A dialog that is read aloud replaces the view. */}
						{!(isScreenReader && dialogs.length > 0) && (
							<CurrentView layout={layout} lists={lists} view={view} />
						)}
					</ThemeContext>
					{choices.length > 0 && (
						<FilterPane choices={choices} selected={view.filterChoice} layout={layout} />
					)}
					<Footer layout={layout} lists={lists} view={view} />
					<Dialogs layout={layout} lists={lists} view={view} />
				</>
			)}
		</Box>
	);
}

/** Paints the background of a theme that has one. */
function Background({columns, rows}: ScreenSize) {
	const theme = useTheme();
	if (theme.tones.text === '') return undefined;
	const row = paint([span(pad(safe``, columns))], theme);
	return (
		<Rows rect={{x: 0, y: 0, width: columns, height: rows}} rows={Array.from({length: rows}, () => row)} />
	);
}

function Header({layout, lists, view}: PageProps) {
	if (!layout.header) return undefined;
	// The Work view's panes have titles of their own.
	const title = view.page === 'work' ? undefined : viewInfo(view.page).title;
	const location = title?.split(' ')[0];
	return <HeaderPane rect={layout.header} counts={lists.counts} location={location} />;
}

function Footer({layout, lists, view}: PageProps) {
	const parts = useApp();
	// Which keys are enabled follows from all of these. The pane is drawn again only when its hints change.
	useStore(parts.stores.events);
	useStore(parts.stores.connection);
	useStore(parts.stores.streams);
	useStore(parts.stores.organization);
	useStore(parts.forms);
	const hints = useSame(hintsOf(parts.keys, parts.input.now(parts, view, lists, layout)));
	const {filter} = pageOf(view);
	const problems = useSame(filter?.problems(view, lists) ?? []);
	if (!layout.footer) return undefined;
	return (
		<FooterPane
			rect={layout.footer}
			dialogs={view.dialogs}
			typedFilter={view.isFiltering ? filterOf(view) : undefined}
			hints={hints}
			hidden={filter?.hidden?.(lists)}
			problems={problems}
		/>
	);
}

/** The terminal's size; also sets it in `parts.screen`, for keys. */
function useTerminalSize({screen}: AppParts): ScreenSize {
	const {columns, rows} = useWindowSize();
	useLayoutEffect(() => {
		screen.size = {columns, rows};
	}, [screen, columns, rows]);
	return {columns, rows};
}

/** Polls the computer on screen, even one that the service doesn't list. */
function useWatchedComputer(engine: ActionContext['engine'], computerId: string | undefined): void {
	useEffect(
		() => (computerId === undefined ? undefined : engine.computers.watch(computerId)),
		[engine, computerId],
	);
}

/** Follows the sessions on screen; `focused` is the one being read. */
function useOpenStreams(parts: AppParts, focused: string | undefined): void {
	const {engine} = parts.actions;
	useEffect(() => engine.sessions.focus(focused), [engine, focused]);
	// After every render: keys may have followed others since the last one.
	useEffect(() => followStreams(parts));
	useEffect(() => () => releaseStreams(parts), [parts]);
}
