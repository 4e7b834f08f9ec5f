import {createStore, type StoreApi} from 'zustand/vanilla';
import type {Draft} from '../../actions/context.ts';
import {editorFolds, editorText} from '../../text/editor/editor.ts';
import {createEditor, type EditorState} from '../../text/editor/editor-state.ts';

/** The unsent text and attachments of one session. */
export type Composer = {
	readonly editor: EditorState;
	readonly images: Draft['images'];
	readonly files: Draft['files'];
	/** Texts that wait for their session to be created; they stay in the stored draft until then. */
	readonly sending?: readonly Draft[];
};
type Composers = {
	readonly bySession: ReadonlyMap<string, Composer>;
	/** Sessions with an unsent draft, also those whose composer hasn't been opened; a new set only if they change. */
	readonly drafted: ReadonlySet<string>;
};
export type ComposerStore = StoreApi<Composers>;

export function createComposerStore(): ComposerStore {
	return createStore<Composers>(() => ({bySession: new Map(), drafted: new Set()}));
}

export function composerAt(store: ComposerStore, sessionId: string): Composer | undefined {
	return store.getState().bySession.get(sessionId);
}

export function setComposer(store: ComposerStore, sessionId: string, composer: Composer): void {
	store.setState(({bySession, drafted}) => ({
		bySession: new Map(bySession).set(sessionId, composer),
		drafted: hasDraft(composer) ? withId(drafted, sessionId) : without(drafted, sessionId),
	}));
}

/** Adds the sessions that have a draft on disk; a composer that is open tells itself whether there is one. */
export function setStoredDrafts(store: ComposerStore, stored: readonly string[]): void {
	store.setState(({bySession, drafted}) => {
		const all = new Set(stored.filter(id => !bySession.has(id)));
		for (const [id, composer] of bySession) if (hasDraft(composer)) all.add(id);
		const isSame = all.size === drafted.size && [...all].every(id => drafted.has(id));
		return {drafted: isSame ? drafted : all};
	});
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

/** Whether there is nothing to send. */
export function isBlank({editor, images, files}: Composer): boolean {
	return editorText(editor).trim() === '' && images.length + files.length === 0;
}

/** One draft after the other. */
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
