import {notify} from '../../actions/notify.ts';
import {sendMessage} from '../../actions/send-message.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {closeCompletion} from './completions.ts';
import {afterSending, type Composer, composerOf, draftOf, setComposer} from './composers.ts';

const changedElsewhere = 'Another program changed this draft; nothing was sent: check it and send again';

/** Empties the composer immediately; restores its text if the outbox rejects it. */
export async function sendComposer(parts: AppParts, sessionId: string, composer: Composer): Promise<void> {
	const draft = draftOf(composer);
	if (draft.text.trim() === '' && draft.images.length + draft.files.length === 0) return;
	// Don't send again what another program has sent in the meantime.
	if (!parts.drafts.settle(sessionId)) {
		notify(parts.actions, 'bad', changedElsewhere);
		return;
	}
	setComposer(parts.composers, sessionId, afterSending(composer, draft.text));
	closeCompletion(parts);
	setView(parts.view, view => {
		const readings = new Map(view.readings);
		readings.delete(sessionId);
		return {...view, readings};
	});
	const result = await sendMessage(parts.actions, sessionId, draft);
	if (result.isDone) {
		// Text typed since belongs to the next message: keep its draft; the sent one is gone.
		parts.drafts.changed(sessionId);
		return;
	}
	const now = parts.composers.getState().bySession.get(sessionId);
	const since = now ? draftOf(now) : {text: '', images: [], files: []};
	const back = {
		...draft,
		text: [draft.text, since.text].filter(Boolean).join('\n'),
		images: [...draft.images, ...since.images],
		files: [...draft.files, ...since.files],
	};
	setComposer(parts.composers, sessionId, {...now, ...composerOf(back, composer.editor.history)});
	parts.drafts.changed(sessionId);
}
