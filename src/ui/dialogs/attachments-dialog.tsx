import {useStore} from 'zustand';
import {type AttachmentInfo, attachmentLimit} from '../../domain/messages/attachment.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView, type ViewStore} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {type Line, lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {attachmentSpans} from '../composer/attachment-chips.ts';
import {attachedBytes, attachmentsOf, removeAttachment} from '../composer/composer-attachments.ts';
import {bindingsIn} from '../keys/binding.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect, rectAbove} from '../kit/dialog-rect.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

export const attachmentBindings = bindingsIn({contexts: ['attachments'], isPaletteHidden: true}, [
	{action: 'list-down', keys: ['down', 'j'], title: 'Next attachment'},
	{action: 'list-up', keys: ['up', 'k'], title: 'Previous attachment'},
	{
		action: 'attachment-remove',
		keys: ['x', 'delete', 'backspace'],
		title: 'Remove the attachment',
		hint: 'remove',
		run(parts) {
			const dialog = topDialog(parts.view, 'attachments');
			if (!dialog) return;
			removeAttachment(parts, dialog.sessionId, dialog.index);
			const last = countOf(parts, dialog.sessionId) - 1;
			if (last < 0) setView(parts.view, popDialog);
			else moveTo(parts.view, Math.min(last, dialog.index));
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

function moveTo(view: ViewStore, index: number): void {
	changeDialog(view, 'attachments', dialog => ({...dialog, index}));
}

function countOf({composers}: Parts<'composers'>, sessionId: string): number {
	const composer = composers.getState().bySession.get(sessionId);
	return composer ? attachmentsOf(composer).length : 0;
}

const text = strings.attachments;
const noAttachments = {images: [], files: []};

/** Lists the attachments of the message being written. */
function AttachmentsDialog({dialog, layout}: DialogProps<'attachments'>) {
	const {composers} = useApp();
	const composer = useStore(composers, ({bySession}) => bySession.get(dialog.sessionId) ?? noAttachments);
	const attached = attachmentsOf(composer);
	const rows = Math.max(1, attached.length);
	const rect = layout.composer ? rectAbove(layout.composer, rows) : dialogRect(layout, 76, rows);
	return (
		<ChoicePane
			rect={rect}
			title={[span(text.title, 'heading')]}
			right={[span(text.size(byteSize(attachedBytes(composer)), byteSize(attachmentLimit)), 'dim')]}
			bottom={[]}
			count={attached.length}
			index={dialog.index}
			renderRow={index => attachmentLine(attached[index], rect.width - 4)}
			context="attachments"
			choose="attachments-close"
		/>
	);
}

function attachmentLine(attachment: AttachmentInfo | undefined, width: number): Line {
	if (!attachment) return [];
	const room = width - lineWidth(attachmentSpans(attachment, safe``));
	const name = cutMiddle(cleanLine(attachment.name, 255), Math.max(1, room));
	return [span(safe` `), ...attachmentSpans(attachment, name)];
}

/** Keys of the attachment list: every letter is a key, since there is no text field. */
function attachmentsLayer(parts: AppParts, {index, sessionId}: DialogOf<'attachments'>): KeyLayer {
	return listLayer(parts, {
		context: 'attachments',
		index,
		count: () => countOf(parts, sessionId),
		moved: to => moveTo(parts.view, to),
	});
}

export const attachmentsDialog: DialogModule<'attachments'> = {
	Component: AttachmentsDialog,
	layer: attachmentsLayer,
};
