import type {Lists} from '../state/lists/lists.ts';
import {wantedLines} from '../state/sessions/session-density.ts';
import {runsOutside} from '../state/sessions/session-items.ts';
import type {Stores} from '../state/stores.ts';
import type {Stream} from '../state/stream.ts';
import {streamsOf} from '../state/view/shown-item.ts';
import {shownPreview} from '../state/view/targets.ts';
import {isInLists, mainItem, replyingTo, tableMessage, type View} from '../state/view/view.ts';
import {editorView} from '../text/editor/editor-layout.ts';
import type {EditorState} from '../text/editor/editor-state.ts';
import {bannerLines} from './banner-lines.ts';
import {type Layout, layoutPanes, type Rect, screenReaderColumns} from './layout.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

export type ScreenSize = {readonly columns: number; readonly rows: number};

type ComposerContent = {
	readonly editor: EditorState;
	readonly images: readonly unknown[];
	readonly files: readonly unknown[];
};

/** Rows of an empty Needs you with the hint that hooks are missing. */
const hookHintRows = 3;
const maxComposerRows = 30;
/** A composer's border, prompt and space on the left; border and a free column on the right. */
const composerChrome = 6;
/** Columns of the dialog that asks what a new session should do. */
const newSessionColumns = 84;

/** Columns of text in a composer of `width` columns. */
export function composerColumns(width: number): number {
	return Math.max(1, width - composerChrome);
}

/** Rows of a composer that is `width` columns wide: its text (at least one) and its attachments. */
export function composerRows(composer: ComposerContent | undefined, width: number): number {
	if (!composer) return 1;
	const attached = composer.images.length + composer.files.length > 0 ? 1 : 0;
	if (composer.editor.text === '') return 1 + attached;
	return editorView(composer.editor, composerColumns(width), maxComposerRows).lines.length + attached;
}

export function newSessionWidth({columns}: Layout): number {
	return Math.min(newSessionColumns, columns);
}

export function hasComposer(stores: Stores, {shown}: View, lists: Lists): boolean {
	if (shown?.kind !== 'session') return false;
	return !runsOutside(lists.all.sessionsById.get(shown.id), stores.streams.getState().open.get(shown.id));
}

/** Rows that the composer asks for of a reply or of the open session; 0 if that has none or a preview hides it. */
export function wantedComposerRows(
	parts: AppParts,
	view: View,
	lists: Lists,
	size: ScreenSize = parts.screen.size,
): number {
	const replyTo = replyingTo(view);
	const isHidden = !hasComposer(parts.stores, view, lists) || previewNow(parts.stores, view) !== undefined;
	const id = replyTo ?? (isHidden ? undefined : view.shown?.id);
	if (id === undefined) return 0;
	const {columns} = usedSize(parts, size);
	// Its width doesn't depend on what else is on the screen.
	const {composer: rect} = layoutPanes(columns, 50, {
		needs: 0,
		sessions: 0,
		computers: 0,
		composer: 1,
		side: 'main',
		share: view.shares.work,
	});
	return parts.caches.composerRows(parts.composers.getState().bySession.get(id), rect?.width ?? columns);
}

/** The part of the terminal to draw on: for a screen reader, too narrow for panes side by side. */
function usedSize({display}: AppParts, {columns, rows}: ScreenSize): ScreenSize {
	const {isScreenReader} = display.getState();
	return {columns: isScreenReader ? Math.min(columns, screenReaderColumns) : columns, rows};
}

/** Lays out the screen: a function of the view, the lists and the terminal's size. */
export function screenLayout(
	parts: AppParts,
	view: View,
	lists: Lists,
	size: ScreenSize = parts.screen.size,
	composer = wantedComposerRows(parts, view, lists, size),
): Layout {
	const {columns, rows} = usedSize(parts, size);
	const streams = streamsOf(view);
	const hasLists = parts.profile.isConnected || lists.computers.length > 0;
	const options = {
		needs:
			lists.needs.length === 0 && parts.hooks.hint.getState().isShown
				? hookHintRows
				: wantedLines(lists.needs, view.density),
		sessions: lists.sessions.length,
		computers: lists.computers.length,
		composer,
		streams: {count: streams.length, focused: streams.indexOf(view.shown?.id ?? '')},
		share: view.shares.work,
		heightShare: view.heights.work,
		isScreenReader: parts.display.getState().isScreenReader,
		isFirstRun: !hasLists,
		banner: bannerRows(parts, {columns, rows}),
	};
	const layout = layoutPanes(columns, rows, {
		...options,
		side: isInLists(view) && hasLists ? 'lists' : 'main',
	});
	// Where only the lists fit, what is replied to takes their place.
	const isHidden = replyingTo(view) !== undefined && !layout.composer;
	return isHidden ? layoutPanes(columns, rows, {...options, side: 'main'}) : layout;
}

/** Rows of the banner about the service, if there is anything to say. */
export function bannerRows(parts: AppParts, size: ScreenSize = parts.screen.size): number {
	const {columns, rows} = usedSize(parts, size);
	return bannerLines(parts, columns, rows).length;
}

/** The layout as the next frame will have it, for what keys do. */
export function layoutNow(parts: AppParts): Layout {
	return screenLayout(parts, parts.view.getState(), listsNow(parts));
}

/** The open sessions that the layout has room for, even while only the lists are drawn. */
export function fittingStreams({streams}: Layout, view: View): readonly string[] {
	const all = streamsOf(view);
	const first = streams?.first ?? Math.max(0, all.indexOf(view.shown?.id ?? ''));
	return all.slice(first, first + (streams?.rects.length ?? 1));
}

/** The streams that are drawn in the Work view, each with its rectangle. */
export function placedStreams(
	layout: Layout,
	view: View,
): readonly {readonly id: string; readonly rect: Rect}[] {
	const rects = layout.streams?.rects ?? [layout.main];
	return fittingStreams(layout, view).flatMap((id, index) => {
		const rect = rects[index];
		return rect ? [{id, rect}] : [];
	});
}

/** The preview that replaces the focused stream while the cursor is on another session. */
export function previewNow(stores: Stores, view: View): Stream | undefined {
	return shownPreview(view, stores.streams.getState());
}

/** Sessions whose streams are on the screen. A preview isn't one, and hides the focused one. */
export function streamsOnScreen(parts: AppParts): readonly string[] {
	const view = parts.view.getState();
	if (!mainItem(view)) return [];
	const hidden = previewNow(parts.stores, view) && view.shown?.id;
	return placedStreams(layoutNow(parts), view).flatMap(({id}) => (id === hidden ? [] : [id]));
}

/** Columns of text in the composer that is being written in. */
export function writingColumns(parts: AppParts): number {
	const layout = layoutNow(parts);
	const view = parts.view.getState();
	if (view.dialogs.at(-1)?.kind === 'new-session') return composerColumns(newSessionWidth(layout));
	// Over the whole width, as the table above it.
	if (tableMessage(view)) return composerColumns(layout.columns);
	return composerColumns(layout.composer?.width ?? layout.columns);
}
