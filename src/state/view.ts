import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Cursor} from './cursor.ts';
import type {Reading} from './reading.ts';

/** Which part of the screen has the keys. */
export type Focus = 'lists' | 'main' | 'composer';

/** What the main area shows. */
export type Shown = {readonly kind: 'session' | 'computer'; readonly id: string};

/** Form of one intent, and what it starts with. */
export type FormRequest =
	| {readonly name: 'new-computer'}
	| {readonly name: 'edit-computer'; readonly computerId: string}
	| {readonly name: 'new-session'; readonly computerId?: string}
	| {readonly name: 'add'; readonly what: 'computer' | 'session'};

/** What lies over the panes; the last one has the keys. */
export type Dialog =
	| {readonly kind: 'form'; readonly form: FormRequest}
	| {readonly kind: 'help'; readonly query: string; readonly top: number}
	| {
			readonly kind: 'confirm';
			readonly title: string;
			/** What will happen, in full sentences. */
			readonly text: string;
			readonly intent: Intent;
	  };

/** What a confirmed question does. */
export type Intent =
	| {readonly name: 'forget-session' | 'forget-computer'; readonly id: string}
	| {readonly name: 'quit'};

/** Everything of the screen that is the user's doing and no data. */
export type View = {
	readonly focus: Focus;
	readonly cursor?: Cursor;
	readonly shown?: Shown;
	/** The last session that was open: shown again when the cursor leaves the computers. */
	readonly lastSession?: string;
	readonly filter: string;
	readonly isFiltering: boolean;
	readonly needsOnly: boolean;
	readonly dialogs: readonly Dialog[];
	/** How each stream is read, by session id; absent: followed. */
	readonly readings: ReadonlyMap<string, Reading>;
	/** Ids of entries whose folded parts are shown. */
	readonly expanded: ReadonlySet<string>;
	/** First visible row of the computer's detail. */
	readonly detailTop: number;
};
export type ViewStore = StoreApi<View>;

export function createViewStore(start: Partial<View> = {}): ViewStore {
	return createStore<View>(() => ({
		focus: 'lists',
		filter: '',
		isFiltering: false,
		needsOnly: false,
		dialogs: [],
		readings: new Map(),
		expanded: new Set(),
		detailTop: 0,
		...start,
	}));
}

/** Puts the cursor on a row. A computer is shown at once; a session only when it is opened. */
export function withCursor(view: View, cursor: Cursor | undefined): View {
	if (!cursor) return view;
	if (cursor.section === 'computers' && cursor.id !== undefined)
		return {...view, cursor, ...show(view, {kind: 'computer', id: cursor.id})};
	if (view.shown?.kind !== 'computer') return {...view, cursor};
	const {shown: _, ...rest} = view;
	return view.lastSession === undefined
		? {...rest, cursor}
		: {...rest, cursor, shown: {kind: 'session', id: view.lastSession}};
}

/** Opens a session or a computer in the main area. */
export function opened(view: View, shown: Shown, focus: Focus): View {
	return {
		...view,
		...show(view, shown),
		focus,
		...(shown.kind === 'session' && {lastSession: shown.id}),
	};
}

function show(view: View, shown: Shown): Partial<View> {
	const isSame = view.shown?.kind === shown.kind && view.shown.id === shown.id;
	return isSame ? {} : {shown, detailTop: 0};
}

/** What is left on screen after something was forgotten. */
export function withoutShown(view: View, id: string): View {
	const {shown, lastSession, ...rest} = view;
	return {
		...rest,
		...(shown && shown.id !== id && {shown}),
		...(lastSession !== undefined && lastSession !== id && {lastSession}),
		focus: shown?.id === id ? 'lists' : view.focus,
	};
}

export function pushDialog(view: View, dialog: Dialog): View {
	return {...view, dialogs: [...view.dialogs, dialog]};
}

export function popDialog(view: View): View {
	return {...view, dialogs: view.dialogs.slice(0, -1)};
}

export function withReading(view: View, sessionId: string, reading: Reading): View {
	return {...view, readings: new Map(view.readings).set(sessionId, reading)};
}

export function withExpanded(view: View, id: string): View {
	const expanded = new Set(view.expanded);
	if (!expanded.delete(id)) expanded.add(id);
	return {...view, expanded};
}
