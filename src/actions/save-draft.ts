import {isStorageError} from '../db/storage-error.ts';
import type {ActionContext, Draft} from './context.ts';
import {notify} from './notify.ts';

/** What is stored now: no revision where nothing is. `displaced`: another program had stored something else meanwhile. */
type SavedDraft = {readonly revision?: string; readonly displaced?: Draft};

/**
 * Saves an unsent text that began from the revision `known`; an empty one is removed. A disk that takes nothing is told,
 * nothing is answered, and the text stays where it is.
 */
export function saveDraft(
	context: ActionContext,
	sessionId: string,
	draft: Draft,
	known: string | undefined,
	notifies = true,
): SavedDraft | undefined {
	const isEmpty = draft.text === '' && draft.images.length + draft.files.length === 0;
	try {
		if (!isEmpty) return context.drafts.put(sessionId, {...draft, updatedAt: context.clock.now()}, known);
		// What another program stored meanwhile stays, and is shown when the composer is next brought up to date.
		context.drafts.remove(sessionId, known);
		return {};
	} catch (error) {
		const why = isStorageError(error) ? error.advice : String(error);
		if (notifies) notify(context, 'bad', `The draft could not be saved: ${why}`);
		return undefined;
	}
}
