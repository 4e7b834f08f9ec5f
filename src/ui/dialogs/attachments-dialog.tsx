import {type AttachmentInfo, attachmentLimit} from '../../domain/messages/attachment.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {
	attachedBytes,
	attachmentSpans,
	attachmentsOf,
	removeAttachment,
} from '../composer/composer-attachments.ts';
import {bindingsIn} from '../keys/binding.ts';
import {rectOverComposer} from '../kit/dialog-rect.ts';
import type {AppParts} from '../use-app.ts';
import type {DialogOf} from './dialog-module.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';
import {changeDialog, topDialog} from './list-layer.ts';

const noAttachments = {images: [], files: []};

export const attachmentsDialog: ListModule<'attachments', AttachmentInfo> = listDialog({
	kind: 'attachments',
	choose: 'attachments-close',
	rows: (dialog, _, parts) => attachmentsOf(composerIn(parts, dialog)),
	lines: (_, width) => attachment => attachmentLine(attachment, width),
	title: () => [span(safe`Attachments`, 'heading')],
	right({dialog, parts}) {
		const size = byteSize(attachedBytes(composerIn(parts, dialog)));
		return [span(safe`${size} of ${byteSize(attachmentLimit)}`, 'dim')];
	},
	bottom: () => [],
	rect: (layout, rows) => rectOverComposer(layout, Math.max(1, rows)),
});

function composerIn({composers}: AppParts, {sessionId}: DialogOf<'attachments'>) {
	return composers.getState().bySession.get(sessionId) ?? noAttachments;
}

function attachmentLine(attachment: AttachmentInfo, width: number): Line {
	const room = width - lineWidth(attachmentSpans(attachment, safe``));
	const name = cutMiddle(cleanLine(attachment.name, 255), Math.max(1, room));
	return [span(safe` `), ...attachmentSpans(attachment, name)];
}

export const attachmentBindings = bindingsIn({contexts: ['attachments'], isPaletteHidden: true}, [
	{action: 'list-down', keys: ['down', 'j'], title: 'Next attachment'},
	{action: 'list-up', keys: ['up', 'k'], title: 'Previous attachment'},
	{
		action: 'attachment-remove',
		keys: ['x', 'delete', 'backspace'],
		title: 'Remove the attachment',
		hint: 'remove',
		run(parts) {
			const dialog = topDialog(parts.view.getState(), 'attachments');
			if (!dialog) return;
			removeAttachment(parts, dialog.sessionId, dialog.index);
			const last = attachmentsOf(composerIn(parts, dialog)).length - 1;
			if (last < 0) setView(parts.view, popDialog);
			else changeDialog(parts.view, 'attachments', now => ({...now, index: Math.min(last, now.index)}));
		},
	},
	{
		action: 'attachments-close',
		keys: ['escape', 'enter', 'ctrl+x'],
		title: 'Close the attachments',
		hint: 'close',
		isWayOut: true,
		run: parts => setView(parts.view, popDialog),
	},
]);
