import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Draft} from '../../actions/context.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import {createEditor, type EditorState} from '../../text/editor/editor-state.ts';

export type Composer = {
	readonly editor: EditorState;
	readonly images: Draft['images'];
	readonly files: Draft['files'];
	/** Texts that wait for their session to be created; they stay in the stored draft until then. */
	readonly sending?: readonly Draft[];
};
type Composers = {
	readonly bySession: ReadonlyMap<string, Composer>;
	/** Ids of unsent drafts, also of composers that haven't been opened; a new set only if they change. */
	readonly drafts: ReadonlySet<string>;
	/** The sessions that they belong to. */
	readonly drafted: ReadonlySet<string>;
};
export type ComposerStore = StoreApi<Composers>;

export function createComposerStore(): ComposerStore {
	return createStore<Composers>(() => ({bySession: new Map(), drafts: new Set(), drafted: new Set()}));
}

export function composerAt(store: ComposerStore, sessionId: string): Composer | undefined {
	return store.getState().bySession.get(sessionId);
}

export function setComposer(store: ComposerStore, sessionId: string, composer: Composer): void {
	store.setState(({bySession, ...before}) => ({
		bySession: new Map(bySession).set(sessionId, composer),
		...withDrafts(
			before,
			hasDraft(composer) ? withId(before.drafts, sessionId) : without(before.drafts, sessionId),
		),
	}));
}

/** Adds the sessions that have a draft on disk; a composer that is open tells itself whether there is one. */
export function setStoredDrafts(store: ComposerStore, stored: readonly string[]): void {
	store.setState(({bySession, ...before}) => {
		const all = new Set(stored.filter(id => !bySession.has(id)));
		for (const [id, composer] of bySession) if (hasDraft(composer)) all.add(id);
		const isSame = all.size === before.drafts.size && [...all].every(id => before.drafts.has(id));
		return isSame ? before : withDrafts(before, all);
	});
}

type Drafts = Pick<Composers, 'drafts' | 'drafted'>;

function withDrafts(before: Drafts, drafts: Drafts['drafts']): Drafts {
	return drafts === before.drafts ? before : {drafts, drafted: new Set([...drafts].map(sessionOf))};
}

const commentKind = 'comment';

/** The id of the draft of a comment on a session's changes; `place` is what it is on, and survives in it. */
export function commentId(sessionId: string, place: object): string {
	return JSON.stringify([commentKind, sessionId, place]);
}

export function commentsIn(
	store: ComposerStore,
	sessionId: string,
): readonly {readonly id: string; readonly place: object}[] {
	return [...store.getState().drafts].flatMap(id => {
		const comment = commentOf(id);
		return comment?.sessionId === sessionId ? {id, place: comment.place} : [];
	});
}

function sessionOf(draftId: string): string {
	return commentOf(draftId)?.sessionId ?? draftId;
}

/** Whose comment the draft with this id is, and what it is on. A service may give a session an id that only begins like one. */
function commentOf(draftId: string): {readonly sessionId: string; readonly place: object} | undefined {
	if (!draftId.startsWith(`["${commentKind}",`)) return undefined;
	try {
		const [, sessionId, place] = JSON.parse(draftId);
		return commentId(sessionId, place) === draftId && typeof place?.path === 'string'
			? {sessionId, place}
			: undefined;
	} catch {
		return undefined;
	}
}

function withId(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	return ids.has(id) ? ids : new Set(ids).add(id);
}

function without(ids: ReadonlySet<string>, id: string): ReadonlySet<string> {
	return ids.has(id) ? new Set([...ids].filter(other => other !== id)) : ids;
}

function hasDraft({editor, images, files}: Composer): boolean {
	return !isEmptyDraft({text: editor.text, images, files});
}

/** A composer with a saved draft and the sent messages as its history. */
export function composerOf(draft: Draft | undefined, history: readonly string[]): Composer {
	return {
		editor: createEditor(draft?.text ?? '', history, draft?.folds),
		images: draft?.images ?? [],
		files: draft?.files ?? [],
	};
}

/** The empty composer after sending: the text moves to the history; deleted text can still be restored. */
export function afterSending({editor, ...rest}: Composer, text: string): Composer {
	const {history, kills} = editor;
	const sent = text.trim() === '' ? history : [...history.filter(one => one !== text), text];
	return {...rest, editor: {...createEditor('', sent), kills}, images: [], files: []};
}

export function isEmptyDraft({text, images, files}: Draft): boolean {
	return text === '' && images.length + files.length === 0;
}

export function draftOf({editor, images, files}: Composer): Draft {
	const folds = editorFolds(editor);
	return {text: editorText(editor), images, files, ...(folds.length > 0 && {folds})};
}

export function isBlank({editor, images, files}: Composer): boolean {
	return editorText(editor).trim() === '' && images.length + files.length === 0;
}

export function joinedDrafts(drafts: readonly Draft[]): Draft {
	return {
		...drafts[0],
		text: drafts.flatMap(({text}) => text || []).join('\n'),
		images: drafts.flatMap(({images}) => images),
		files: drafts.flatMap(({files}) => files),
	};
}

/** Whether the session's composer has no text but blanks. */
export function isComposerEmpty(composers: ComposerStore, sessionId = ''): boolean {
	const composer = composers.getState().bySession.get(sessionId);
	return composer === undefined || editorText(composer.editor).trim() === '';
}
