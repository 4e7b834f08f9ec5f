import {discardMessage} from '../../actions/messages.ts';
import type {Stores} from '../../state/stores.ts';
import {editorText} from '../../text/editor/editor.ts';
import {openSession} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {edit} from './composer-edit.ts';
import {composerAt, composerOf, setComposer} from './composers.ts';

/** Takes our message out of the outbox and inserts it before the current draft. */
export function takeBack(parts: AppParts, outboxId: string): void {
	const message = discardMessage(parts.actions, outboxId);
	if (!message) return;
	const {sessionId} = message;
	const composer = composerAt(parts.composers, sessionId) ?? composerOf(undefined, []);
	const text = [message.text, editorText(composer.editor)].filter(Boolean).join('\n');
	setComposer(parts.composers, sessionId, {
		...composer,
		images: [...message.images, ...composer.images],
		files: [...message.files, ...composer.files],
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
