import {useEffect} from 'react';
import {completeFilter} from '../../domain/list-filter/complete-filter.ts';
import type {HookRequest} from '../../domain/sessions/hook-request.ts';
import {listFields} from '../../state/lists/list-filtering.ts';
import {isWaiting, type Lists} from '../../state/lists/lists.ts';
import {type Section, sections} from '../../state/lists/row-positions.ts';
import {type SessionItem, shortId} from '../../state/sessions/session-items.ts';
import type {Stores} from '../../state/stores.ts';
import {type Cursor, cursorAt, isOnComputer, positionOf} from '../../state/view/cursor.ts';
import {withCursor, withLeft} from '../../state/view/shown-item.ts';
import {previewTarget} from '../../state/view/targets.ts';
import {
	type Focus,
	filterOf,
	listsViewOf,
	replyingTo,
	setView,
	type View,
	withFilter,
} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {writingContexts} from '../composer/composer-bindings.ts';
import {ComposerPane} from '../composer/composer-pane.tsx';
import {optionLines, requestLines} from '../dialogs/answer/request-lines.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {Pane} from '../kit/pane.tsx';
import {ageChangesAt} from '../kit/ticker.ts';
import {type Tile, Tiling} from '../kit/tiling.ts';
import {useNow} from '../kit/use-now.ts';
import {useSame} from '../kit/use-same.ts';
import {beforeWorkDivider, type Rect} from '../layout.ts';
import {hasComposer, layoutNow, placedStreams, previewNow} from '../layout-now.ts';
import {useDivider} from '../mouse/use-divider.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {openSession, prepareComposer} from '../open-session.ts';
import {ComputerPane} from '../panes/computer-pane.tsx';
import {ComputersPane} from '../panes/computers-pane.tsx';
import {NeedsPane, SessionsPane} from '../panes/session-panes.tsx';
import {WelcomePane} from '../panes/welcome-pane.tsx';
import type {PageProps, ScreenPage} from '../screen-page.ts';
import {PreviewPane} from '../stream/preview-pane.tsx';
import {streamContexts} from '../stream/stream-bindings.ts';
import {StreamPane} from '../stream/stream-pane.tsx';
import {permissionText} from '../stream/stream-phase.ts';
import {streamTitle} from '../stream/stream-title.ts';
import {strings} from '../strings.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {scrollWork} from './scroll-work.ts';
import {usePreview} from './use-preview.ts';

function isComposerFocused(view: View): boolean {
	return view.focus === 'composer' && view.dialogs.length === 0;
}

function tilesOf({layout, view}: Omit<PageProps, 'lists'>, isConnected: boolean): readonly Tile[] {
	const {needs, sessions, computers, main, streams, composer} = layout;
	const {focus, cursor, shown} = view;
	const section = focus === 'lists' ? (cursor?.section ?? 'sessions') : undefined;
	const isOnNeeds = section === 'needs';
	const tile = (rect: Rect | undefined, isFocused: boolean): readonly Tile[] =>
		rect ? [{rect, isFocused}] : [];
	const isInMain = focus === 'main';
	return [
		...tile(needs, isOnNeeds),
		...tile(sessions, isConnected && (section === 'sessions' || (isOnNeeds && !needs))),
		...tile(computers, section === 'computers'),
		...(streams
			? placedStreams(layout, view).flatMap(({id, rect}) => tile(rect, isInMain && id === shown?.id))
			: tile(main, isInMain || !isConnected)),
		...(composer ? [{rect: composer, isFocused: isComposerFocused(view), isTitleBelow: true}] : []),
	];
}

/** The Work view: lists on one side, the open session or computer on the other. */
function WorkView({layout, lists, view}: PageProps) {
	const {needs, sessions, computers, composer} = layout;
	const replyTo = replyingTo(view);
	const isFocused = isComposerFocused(view);
	const writtenTo = replyTo ?? view.shown?.id;
	const parts = useApp();
	const {engine} = parts.actions;
	useEffect(() => (replyTo === undefined ? undefined : engine.sessions.open(replyTo)), [engine, replyTo]);
	useDivider('work', layout, beforeWorkDivider(layout));
	usePreview(layout, view);
	const tiles = useSame(tilesOf({layout, view}, parts.profile.isConnected));
	const inLists = useSame(listsViewOf(view));
	return (
		<Tiling value={tiles}>
			{needs && <NeedsPane rect={needs} lists={lists} view={inLists} />}
			{sessions && (
				<SessionsPane rect={sessions} lists={lists} view={inLists} holdsNeeds={needs === undefined} />
			)}
			{computers && <ComputersPane rect={computers} lists={lists} view={inLists} />}
			<MainArea layout={layout} lists={lists} view={view} />
			{composer && writtenTo !== undefined && (
				<ComposerPane
					key={writtenTo}
					sessionId={writtenTo}
					rect={composer}
					isFocused={isFocused}
					title={
						layout.streams || replyTo !== undefined
							? (replyTo === undefined ? strings.messageTo : (name: Safe) => safe`Reply to ${name}`)(
									cleanLine(sessionItem(lists, writtenTo).name, 40),
								)
							: undefined
					}
				/>
			)}
		</Tiling>
	);
}

function MainArea({layout, lists, view}: PageProps) {
	const parts = useApp();
	const {isConnected} = parts.profile;
	const {main} = layout;
	if (!main) return undefined;
	const isFocused = view.focus === 'main';
	const {shown} = view;
	const target = lists.all.sessionsById.get(previewTarget(view) ?? '');
	if (target?.request && !layout.streams)
		return <RequestPane rect={main} item={target} request={target.request} />;
	const preview = previewNow(parts.stores, view);
	if (preview && !layout.streams)
		return (
			<PreviewPane rect={main} item={sessionItem(lists, preview.sessionId)} stream={preview} view={view} />
		);
	if (shown?.kind === 'session') return <Streams layout={layout} lists={lists} view={view} />;
	const computer = shown && lists.all.computers.find(item => item.id === shown.id);
	if (computer)
		return (
			<ComputerPane
				rect={main}
				item={computer}
				isFocused={isFocused}
				view={view}
				onPress={() => setView(parts.view, now => ({...now, focus: 'main'}))}
			/>
		);
	const {sessions, computers} = lists.all;
	const hasRows = sessions.length + computers.length > 0;
	return (
		<WelcomePane
			rect={main}
			isFocused={isFocused || !isConnected}
			isConnected={isConnected}
			hasRows={hasRows}
			group={lists.groups.find(({key}) => key === view.cursor?.group)}
		/>
	);
}

/**
 * The open session, or several side by side including the focused one. There, a preview takes the place that its
 * session would open in.
 */
function Streams({layout, lists, view}: PageProps) {
	const preview = previewNow(useApp().stores, view);
	return placedStreams(layout, view).map(({id, rect}) => {
		const isCurrent = id === view.shown?.id;
		if (preview && isCurrent) {
			const item = sessionItem(lists, preview.sessionId);
			return <PreviewPane key="preview" rect={rect} item={item} stream={preview} view={view} />;
		}
		return (
			<StreamPane key={id} rect={rect} item={sessionItem(lists, id)} view={view} isCurrent={isCurrent} />
		);
	});
}

/** The open session, even while a filter hides it or before the registry has it. */
function sessionItem(lists: Lists, id: string): SessionItem {
	return (
		lists.all.sessionsById.get(id) ?? {
			kind: 'session',
			id,
			group: 'idle',
			state: 'unknown',
			name: shortId(id),
		}
	);
}

export const workPage: ScreenPage = {
	Component: WorkView,
	contexts,
	scroll: scrollWork,
	back,
	nextPane: movePane,
	beforeDivider: (_, __, ___, layout) => beforeWorkDivider(layout),
	filter: {
		choices({listBuilder: {filterables}}, view, {all}) {
			const {needsOnly, showsArchived} = view;
			const sessions = all.sessions.map(item => ({
				item,
				row: filterables.session(item),
				isPast: item.isPast,
			}));
			const computers = all.computers.map(item => ({item, row: filterables.computer(item)}));
			const rows = [...sessions, ...computers].filter(({item}) => !needsOnly || isWaiting(item));
			return completeFilter(filterOf(view), rows, showsArchived, listFields);
		},
		problems: (_, {problems}) => problems,
		hidden: ({hidden}) => hidden,
	},
	computer(parts, view) {
		const {shown, focus} = view;
		const isShown = shown?.kind === 'computer' && layoutNow(parts).main !== undefined;
		return isShown && !previewNow(parts.stores, view)
			? {id: shown.id, isFocused: focus === 'main'}
			: undefined;
	},
};

function contexts(view: View): readonly KeyContext[] {
	const {focus, shown, cursor} = view;
	if (focus === 'composer') return writingContexts(view);
	if (focus === 'main') return shown?.kind === 'computer' ? ['computer'] : streamContexts(view);
	if (cursor?.group !== undefined) return ['heading', 'sessions', 'lists'];
	return [cursor && isOnComputer(cursor) ? 'computers' : 'sessions', 'lists'];
}

/** To the lists, or to the view where the item was opened; there, clears the filter, then ends browsing. */
function back({view}: AppParts, lists: Lists): void {
	const now = view.getState();
	const {focus, needsOnly, shown} = now;
	if (focus !== 'lists') setView(view, withLeft);
	else if (filterOf(now) !== '' || needsOnly) view.setState({...withFilter(now, ''), needsOnly: false});
	else if (shown?.kind === 'session') {
		// The cursor returns to the open session's row or, if it has none, the focus to its stream.
		const position = positionOf(lists, {section: 'sessions', id: shown.id});
		setView(view, now =>
			position ? {...now, cursor: {section: position.section, id: shown.id}} : {...now, focus: 'main'},
		);
	}
}

type Props = {readonly item: SessionItem; readonly request: HookRequest; readonly rect: Rect};

/** What the session at the cursor of the lists asks through its hook: the command or the change, as far as it fits. */
function RequestPane({item, request, rect}: Props) {
	const parts = useApp();
	const {keys} = parts;
	const now = useNow(at => (item.since === undefined ? undefined : ageChangesAt(item.since, at)));
	useZone({rect, order: zoneOrder.pane, press: () => openSession(parts, item.id, 'main')});
	const width = Math.max(8, rect.width - 6);
	// The keys of the answers work in the dialog only.
	const lines = requestLines(request, width, keys).slice(
		0,
		-optionLines(request, width, keys).length || undefined,
	);
	const {kind, tool} = request;
	const heading = kind === 'question' || !tool ? [] : [[span(permissionText(tool), 'warn')], []];
	const room = rect.height - 3 - heading.length;
	const isCut = lines.length > room;
	const shown = isCut ? lines.slice(0, room - 1) : lines;
	const more = isCut ? [[span(strings.moreOfRequest(lines.length - shown.length), 'warn')]] : [];
	return (
		<Pane
			rect={rect}
			title={streamTitle(item, {now, isFocused: false, width: rect.width - 4})}
			bottom={strings.answersRequest(keys.label('answer-request'))}
			body={[[], ...heading, ...shown, ...more].map(line => ({line: [span(safe` `), ...line]}))}
		/>
	);
}

type Stop = Section | Exclude<Focus, 'lists'>;

/** Moves the focus to the next pane, wrapping around. */
function movePane(parts: AppParts, lists: Lists, by: 1 | -1): void {
	setView(parts.view, ({replyTo: _, ...view}) => {
		const stops = stopsOf(parts.stores, view, lists);
		const now: Stop = view.focus === 'lists' ? (view.cursor?.section ?? 'sessions') : view.focus;
		const next = stops[(stops.indexOf(now) + by + stops.length) % stops.length] ?? 'sessions';
		if (next === 'main' || next === 'composer') {
			if (next === 'composer' && view.shown) prepareComposer(parts, view.shown.id);
			return {...view, focus: next};
		}
		return {...withCursor(view, cursorIn(view, lists, next)), focus: 'lists'};
	});
}

function stopsOf(stores: Stores, view: View, lists: Lists): Stop[] {
	const filled = sections.filter(section => section !== 'needs' || lists.needs.length > 0);
	if (!view.shown) return filled;
	return hasComposer(stores, view, lists) ? [...filled, 'main', 'composer'] : [...filled, 'main'];
}

/** A cursor on the row of the open item, or on the first row if the list doesn't contain it. */
function cursorIn(view: View, lists: Lists, section: Section): Cursor {
	const position = view.shown && positionOf(lists, {section, id: view.shown.id});
	return cursorAt(lists, section, position?.section === section ? position.index : 0);
}
