import {type Dialog, popDialog, pushDialog} from '../../state/dialogs.ts';
import type {View} from '../../state/view.ts';
import {attachmentsOf, removeAttachment} from '../composer/composer-attachments.ts';
import {targets} from '../contexts.ts';
import type {Intents} from '../intents.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Intents of the attachment list. */
export const attachmentIntents: Intents = {
	attachments(parts) {
		const {sessionId} = targets(parts.view.getState());
		if (sessionId === undefined) return;
		setView(parts.view, view => pushDialog(view, {kind: 'attachments', sessionId, selected: 0}));
	},
	'attachment-down': parts => move(parts, 1),
	'attachment-up': parts => move(parts, -1),
	'attachment-remove'(parts) {
		const dialog = topAttachments(parts);
		if (!dialog) return;
		removeAttachment(parts, dialog.sessionId, dialog.selected);
		if (countOf(parts, dialog.sessionId) === 0) setView(parts.view, popDialog);
		else move(parts, 0);
	},
	'attachments-close': parts => setView(parts.view, popDialog),
};

function move(parts: AppParts, by: 1 | -1 | 0): void {
	const dialog = topAttachments(parts);
	if (!dialog) return;
	const last = countOf(parts, dialog.sessionId) - 1;
	const selected = Math.max(0, Math.min(last, dialog.selected + by));
	setView(
		parts.view,
		(view): View => ({
			...view,
			dialogs: [...view.dialogs.slice(0, -1), {...dialog, selected}],
		}),
	);
}

function countOf({composers}: AppParts, sessionId: string): number {
	const composer = composers.getState().bySession.get(sessionId);
	return composer ? attachmentsOf(composer).length : 0;
}

function topAttachments({view}: AppParts): (Dialog & {kind: 'attachments'}) | undefined {
	const dialog = view.getState().dialogs.at(-1);
	return dialog?.kind === 'attachments' ? dialog : undefined;
}
