import type {ActionContext} from '../../actions/context.ts';
import {saveDraft, withStorage} from '../../actions/messages.ts';
import {notify} from '../../actions/notify.ts';
import {
	type Composer,
	type ComposerStore,
	composerOf,
	draftOf,
	isEmptyDraft,
	joinedDrafts,
	setComposer,
	setStoredDrafts,
} from './composers.ts';

/** Delay before a write, in ms: a keystroke must be on disk within 250 ms, and the write takes time, too. */
const delay = 100;
/** Delay before retrying a failed write, in ms. */
const retryDelay = 2000;

/**
 * Saves drafts shortly after each change, or immediately on `flush`. If other programs write to the same session, the
 * last save counts; a text that it replaces goes to the history.
 */
export type DraftSaver = {
	/** Loads the stored draft into a newly opened composer, or refreshes an open one. */
	open(sessionId: string, history: () => readonly string[]): void;
	changed(sessionId: string): void;
	/** Writes unsaved drafts. False when a write failed, so that a draft exists in memory only; it is retried. */
	flush(): boolean;
	/** Writes every open composer again, after the file lost its contents. */
	rewrite(): void;
	/** Shows what other programs have saved, in open composers without unsaved text and as marks. */
	refresh(): void;
	/** Saves and refreshes one composer; false when another program changed the displayed draft. */
	saveAndRefresh(sessionId: string): boolean;
};

export function createDraftSaver(actions: ActionContext, composers: ComposerStore): DraftSaver {
	const changed = new Set<string>();
	/** The stored drafts' revisions as last read or written here. */
	const revisions = new Map<string, string | undefined>();
	let cancel: (() => void) | undefined;
	/** The last write failed and was reported. */
	let isFailing = false;

	const composerAt = (sessionId: string) => composers.getState().bySession.get(sessionId);

	/** The draft to store for a composer, including messages being sent. */
	const draftToStore = (composer: Composer) => joinedDrafts([...(composer.sending ?? []), draftOf(composer)]);

	function save(sessionId: string): boolean {
		const composer = composerAt(sessionId);
		if (!composer) return true;
		const draft = draftToStore(composer);
		const saved = saveDraft(actions, sessionId, draft, revisions.get(sessionId), !isFailing);
		if (!saved) return false;
		revisions.set(sessionId, saved.revision);
		if (saved.displaced !== undefined) {
			const {editor} = composer;
			const history = withText(editor.history, saved.displaced);
			setComposer(composers, sessionId, {...composer, editor: {...editor, history}});
			notify(
				actions,
				'info',
				'Another program also wrote a draft here: it is among the earlier messages now',
			);
		}
		return true;
	}

	function flush(): boolean {
		cancel?.();
		cancel = undefined;
		for (const sessionId of changed) if (save(sessionId)) changed.delete(sessionId);
		isFailing = changed.size > 0;
		if (isFailing) cancel = actions.clock.after(retryDelay, flush);
		return !isFailing;
	}

	function refreshOne(sessionId: string): void {
		const composer = composerAt(sessionId);
		if (!composer || changed.has(sessionId)) return;
		withStorage(() => {
			const saved = actions.drafts.get(sessionId);
			if (saved?.revision === revisions.get(sessionId)) return;
			revisions.set(sessionId, saved?.revision);
			const {history, kills} = composer.editor;
			const {text} = draftOf(composer);
			const isKept = text === '' || saved?.text.includes(text);
			const shown = composerOf(saved, isKept ? history : withText(history, text));
			setComposer(composers, sessionId, {...composer, ...shown, editor: {...shown.editor, kills}});
		});
	}

	function readStored(): void {
		const sessions = withStorage(() => actions.drafts.sessions());
		if (sessions) setStoredDrafts(composers, sessions);
	}

	readStored();
	return {
		open(sessionId, history) {
			if (composerAt(sessionId)) {
				refreshOne(sessionId);
				return;
			}
			const draft = withStorage(() => actions.drafts.get(sessionId));
			revisions.set(sessionId, draft?.revision);
			setComposer(composers, sessionId, composerOf(draft, history()));
		},
		changed(sessionId) {
			changed.add(sessionId);
			cancel ??= actions.clock.after(delay, flush);
		},
		flush,
		rewrite() {
			for (const [sessionId, composer] of composers.getState().bySession)
				if (!isEmptyDraft(draftToStore(composer))) changed.add(sessionId);
			// One of our own saves may have found the loss and not have reported its revision yet; writing now
			// would look like a conflict.
			cancel?.();
			cancel = actions.clock.after(0, flush);
		},
		refresh() {
			for (const sessionId of composers.getState().bySession.keys()) refreshOne(sessionId);
			readStored();
		},
		saveAndRefresh(sessionId) {
			flush();
			const before = contentOf(composerAt(sessionId));
			refreshOne(sessionId);
			return contentOf(composerAt(sessionId)) === before;
		},
	};
}

function withText(history: readonly string[], text: string): readonly string[] {
	return [...history.filter(one => one !== text), text];
}

function contentOf(composer: Composer | undefined): string {
	if (!composer) return '';
	const {text, images, files} = draftOf(composer);
	return JSON.stringify([text, images, files]);
}
