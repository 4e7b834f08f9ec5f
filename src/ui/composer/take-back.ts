import {discardMessage} from '../../actions/messages.ts';
import type {Stores} from '../../state/stores.ts';
import {editorText} from '../../text/editor/editor.ts';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {edit} from './composer-edit.ts';
import {composerOf, setComposer} from './composers.ts';

/** Takes our message out of the outbox and inserts it before the current draft. */
export function takeBack(parts: AppParts, outboxId: string): void {
	const taken = discardMessage(parts.actions, outboxId);
	if (!taken) return;
	const {sessionId} = taken;
	const composer = parts.composers.getState().bySession.get(sessionId) ?? composerOf(undefined, []);
	const text = [taken.text, editorText(composer.editor)].filter(Boolean).join('\n');
	setComposer(parts.composers, sessionId, {
		...composer,
		images: [...taken.images, ...composer.images],
		files: [...taken.files, ...composer.files],
	});
	edit(parts, sessionId, {type: 'set', text});
	parts.drafts.changed(sessionId);
	openSession(parts, sessionId, 'composer');
}

/** The session's newest message that still waits to be sent. */
export function newestQueued(stores: Stores, sessionId: string): string | undefined {
	const items = stores.outbox.getState().bySession.get(sessionId) ?? [];
	return items.findLast(({state}) => state === 'queued')?.id;
}
