import type {ActionContext} from '../../actions/context.ts';
import {saveDraft} from '../../actions/save-draft.ts';
import {type ComposerStore, draftOf} from './composers.ts';

/** A key is on disk at most 250 ms later (RELIABILITY, Kept data): the rest is for the write itself. */
const delay = 150;

/** Keeps what is typed on disk, soon after each change and at once when told to. */
export type DraftSaver = {
	changed(sessionId: string): void;
	/** Writes what is not written yet; false when something could not be. */
	flush(): boolean;
};

export function createDraftSaver(actions: ActionContext, composers: ComposerStore): DraftSaver {
	const changed = new Set<string>();
	let cancel: (() => void) | undefined;
	function flush(): boolean {
		cancel?.();
		cancel = undefined;
		for (const sessionId of changed) {
			const composer = composers.getState().bySession.get(sessionId);
			if (!composer || saveDraft(actions, sessionId, draftOf(composer))) changed.delete(sessionId);
		}
		return changed.size === 0;
	}
	return {
		changed(sessionId) {
			changed.add(sessionId);
			cancel ??= actions.clock.after(delay, flush);
		},
		flush,
	};
}
