import {isStorageError} from '../db/storage-error.ts';
import type {ActionContext, Draft} from './context.ts';
import {notify} from './notify.ts';

/**
 * The stored draft's revision, absent if none is stored. `displaced`: a different draft that another program
 * had stored in the meantime.
 */
type SavedDraft = {readonly revision?: string; readonly displaced?: Draft};

/**
 * Saves a draft based on revision `known`; removes it if empty. On a storage failure it notifies the user,
 * returns undefined and leaves the text in the composer.
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
		// A draft that another program stored meanwhile stays, and appears at the composer's next refresh.
		context.drafts.remove(sessionId, known);
		return {};
	} catch (error) {
		const why = isStorageError(error) ? error.advice : String(error);
		if (notifies) notify(context, 'bad', `The draft could not be saved: ${why}`);
		return undefined;
	}
}
