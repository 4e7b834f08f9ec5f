import type {ActionContext, Draft} from '../../actions/context.ts';
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
import {strings} from './strings.ts';

/** Delay before a write, in ms: a keystroke must be on disk within 250 ms, and the write takes time, too. */
const delay = 100;
/** Delay before retrying a failed write, in ms. */
const retryDelay = 2000;

/**
 * Saves drafts shortly after each change, or immediately on `flush`. Other programs may write to the same
 * sessions: their changes appear in composers without unsaved text, and no text is lost.
 */
export type DraftSaver = {
	/** Loads the stored draft into a newly opened composer, or refreshes an open one. */
	open(sessionId: string, history: () => readonly string[]): void;
	changed(sessionId: string): void;
	/** Writes unsaved drafts. False when a write failed; it is retried. */
	flush(): boolean;
	/** Writes every open composer again, after the file lost its contents. */
	rewrite(): void;
	/** The final save. False when a draft could not be saved and exists in memory only. */
	saveAll(): boolean;
	/** Takes over drafts saved by other programs, in open composers and as marks; keeps text typed here. */
	refresh(): void;
	/** Saves and refreshes one composer; false when another program changed the displayed draft. */
	settle(sessionId: string): boolean;
	/** Swaps the draft with the session's separately stored one. */
	swap(sessionId: string): void;
};

/** The stored draft as last read. `isTyped`: typed here, not in another program. */
type StoredDraft = {readonly revision: string; readonly draft: Draft; readonly isTyped: boolean};

export function createDraftSaver(actions: ActionContext, composers: ComposerStore): DraftSaver {
	const changed = new Set<string>();
	const stored = new Map<string, StoredDraft>();
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
		const saved = saveDraft(actions, sessionId, draft, stored.get(sessionId)?.revision, !isFailing);
		if (!saved) return false;
		if (saved.revision === undefined) stored.delete(sessionId);
		else stored.set(sessionId, {revision: saved.revision, draft, isTyped: true});
		if (saved.displaced) {
			countOthers(sessionId);
			notifyBothSaved();
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

	function countOthers(sessionId: string): void {
		const composer = composerAt(sessionId);
		const others = withStorage(() => actions.drafts.others(sessionId).length) ?? 0;
		if (composer && others !== (composer.others ?? 0))
			setComposer(composers, sessionId, {...composer, others});
	}

	function notifyBothSaved(): void {
		notify(actions, 'info', strings.bothSaved(actions.keyName('other-draft')));
	}

	/** Shows a stored draft in a composer, whose text it replaces. */
	function show(sessionId: string, composer: Composer, saved: StoredDraft | undefined): void {
		const {editor} = composerOf(saved?.draft, composer.editor.history);
		setComposer(composers, sessionId, {
			...composer,
			editor: {...editor, kills: composer.editor.kills},
			images: saved?.draft.images ?? [],
			files: saved?.draft.files ?? [],
		});
		if (saved) stored.set(sessionId, saved);
		else stored.delete(sessionId);
		countOthers(sessionId);
	}

	/**
	 * Updates a composer without unsaved text with what another program stored; a typed text that this replaces is
	 * stored apart. `keepsTyped`: the user may be typing, so keep their text until they save, open or send it.
	 */
	function update(sessionId: string, composer: Composer, keepsTyped = false): void {
		const before = stored.get(sessionId);
		const saved = actions.drafts.get(sessionId);
		if (saved?.revision === before?.revision) return;
		const written = draftOf(composer);
		const next = saved && {revision: saved.revision, draft: saved, isTyped: false};
		const isTyped = before?.isTyped === true && !isEmptyDraft(written);
		if (keepsTyped && isTyped && next) return;
		if (!isTyped || (next && contains(next.draft, written))) {
			show(sessionId, composer, next);
			return;
		}
		const wasSent = !next && wasSentAs(sessionId, written);
		if (!wasSent) actions.drafts.addOther(sessionId, written);
		show(sessionId, composer, next);
		if (wasSent) notify(actions, 'info', strings.sentElsewhere);
		else if (next) notifyBothSaved();
		else notify(actions, 'info', strings.clearedElsewhere(actions.keyName('other-draft')));
	}

	function wasSentAs(sessionId: string, {text}: Draft): boolean {
		return actions.history.ofSession(sessionId).includes(text);
	}

	function refreshOne(sessionId: string, keepsTyped = false): void {
		const composer = composerAt(sessionId);
		if (!composer || changed.has(sessionId)) return;
		withStorage(() => update(sessionId, composer, keepsTyped));
		countOthers(sessionId);
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
			if (draft) stored.set(sessionId, {revision: draft.revision, draft, isTyped: false});
			setComposer(composers, sessionId, composerOf(draft, history()));
			countOthers(sessionId);
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
		saveAll() {
			if (!flush()) return false;
			const all = composers.getState().bySession;
			return (
				withStorage(() => {
					for (const [sessionId, composer] of all) update(sessionId, composer);
					return true;
				}) ?? false
			);
		},
		refresh() {
			for (const sessionId of composers.getState().bySession.keys()) refreshOne(sessionId, true);
			readStored();
		},
		settle(sessionId) {
			flush();
			const before = composerAt(sessionId);
			refreshOne(sessionId);
			const after = composerAt(sessionId);
			if (!before || !after) return true;
			const [old, current] = [draftOf(before), draftOf(after)];
			return old.text === current.text && hasSameAttachments(old, current);
		},
		swap(sessionId) {
			if (!flush()) return;
			const composer = composerAt(sessionId);
			if (!composer) return;
			const written = draftOf(composer);
			try {
				const revision = stored.get(sessionId)?.revision;
				const ours = isEmptyDraft(written) ? undefined : written;
				const draft = actions.drafts.swap(sessionId, ours, actions.clock.now(), revision);
				if (draft) show(sessionId, composer, {revision: draft.revision, draft, isTyped: true});
			} catch (error) {
				notify(actions, 'bad', error instanceof Error ? error.message : String(error));
			}
		},
	};
}

/** Whether a draft contains the text of another, with the same attachments. */
function contains(whole: Draft, part: Draft): boolean {
	return whole.text.includes(part.text) && hasSameAttachments(whole, part);
}

function hasSameAttachments(a: Draft, b: Draft): boolean {
	return JSON.stringify([a.images, a.files]) === JSON.stringify([b.images, b.files]);
}
