import type {ActionContext, Draft} from './context.ts';
import {done, type Result} from './result.ts';
import {tell} from './tell.ts';

/**
 * Puts a message in the outbox. It is on disk before its draft is removed, so that a crash between the two leaves the
 * text twice and never not at all.
 */
export async function sendMessage(
	context: ActionContext,
	sessionId: string,
	draft: Draft,
): Promise<Result<string>> {
	if (draft.text.trim() === '' && draft.images.length + draft.files.length === 0)
		return {isDone: false, what: 'There is nothing to send yet.'};
	try {
		const item = await context.engine.enqueue(sessionId, draft);
		context.drafts.remove(sessionId);
		return done(item.id);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		const what = `The message could not be kept and was not sent: ${why}`;
		tell(context, 'bad', what);
		return {isDone: false, what};
	}
}
