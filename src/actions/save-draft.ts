import type {ActionContext, Draft} from './context.ts';
import {tell} from './tell.ts';

/** Keeps an unsent text on disk; an empty one is removed. A disk that takes nothing is told, and the text stays. */
export function saveDraft(context: ActionContext, sessionId: string, draft: Draft): boolean {
	const isEmpty = draft.text === '' && draft.images.length + draft.files.length === 0;
	try {
		if (isEmpty) context.drafts.remove(sessionId);
		else context.drafts.put(sessionId, {...draft, updatedAt: context.clock.now()});
		return true;
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		tell(context, 'bad', `The draft could not be saved: ${why}`);
		return false;
	}
}
