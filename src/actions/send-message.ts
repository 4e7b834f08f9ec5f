import {isStorageError} from '../db/storage-error.ts';
import type {ActionContext, Draft} from './context.ts';
import {notify} from './notify.ts';
import {done, type Result} from './result.ts';

/**
 * Adds a message to the outbox. It is on disk before its draft is removed, so that a crash in between
 * duplicates the text rather than losing it.
 */
export async function sendMessage(
	context: ActionContext,
	sessionId: string,
	draft: Draft,
): Promise<Result<string>> {
	if (draft.text.trim() === '' && draft.images.length + draft.files.length === 0)
		return {isDone: false, what: 'There is nothing to send yet.'};
	try {
		const {text, images, files} = draft;
		const item = await context.engine.enqueue(sessionId, {
			text,
			images,
			// A draft saved by an older version may still contain local file paths.
			files: files.map(file => (file.name === undefined ? file : {...file, path: file.name})),
		});
		context.drafts.remove(sessionId, undefined, draft);
		if (text.trim() !== '') remember(context, sessionId, text);
		return done(item.id);
	} catch (error) {
		const why = error instanceof Error ? error.message : String(error);
		const what = `The message could not be saved and was not sent: ${why}`;
		notify(context, 'bad', what);
		return {isDone: false, what};
	}
}

/** Adds the text to the history. The message is sent even if the disk can't store this second copy. */
function remember({history}: ActionContext, sessionId: string, text: string): void {
	try {
		history.add(sessionId, text);
	} catch (error) {
		if (!isStorageError(error)) throw error;
	}
}
