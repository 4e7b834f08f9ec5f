import {useStore} from 'zustand';
import {type AttachmentInfo, attachmentLimit} from '../../domain/messages/attachment.ts';
import {singleKeys} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, withTop} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
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
import type {DialogModule, DialogProps} from './dialog-module.ts';
import {topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

export const attachmentBindings = bindingsIn({contexts: ['attachments'], isPaletteHidden: true}, [
	{
		action: 'attachment-down',
		keys: ['down', 'j'],
		title: 'Next attachment',
		run: parts => move(parts, 1),
	},
	{
		action: 'attachment-up',
		keys: ['up', 'k'],
		title: 'Previous attachment',
		run: parts => move(parts, -1),
	},
	{
		action: 'attachment-remove',
		keys: ['x', 'delete', 'backspace'],
		title: 'Remove the attachment',
		hint: 'remove',
		run(parts) {
			const dialog = topDialog(parts.view, 'attachments');
			if (!dialog) return;
			removeAttachment(parts, dialog.sessionId, dialog.selected);
			if (countOf(parts, dialog.sessionId) === 0) setView(parts.view, popDialog);
			else move(parts, 0);
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

function move(parts: Parts<'composers' | 'view'>, by: 1 | -1 | 0): void {
	const dialog = topDialog(parts.view, 'attachments');
	if (!dialog) return;
	const last = countOf(parts, dialog.sessionId) - 1;
	const selected = Math.max(0, Math.min(last, dialog.selected + by));
	setView(parts.view, view => withTop(view, {...dialog, selected}));
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
			index={dialog.selected}
			renderRow={index => attachmentLine(attached[index], rect.width - 4)}
			context="attachments"
			down="attachment-down"
			up="attachment-up"
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
function attachmentsLayer(parts: AppParts): KeyLayer {
	return {
		name: 'attachments',
		isModal: true,
		handle(press) {
			for (const single of singleKeys(press)) parts.input.handleKey(parts, single);
			return 'consumed';
		},
	};
}

export const attachmentsDialog: DialogModule<'attachments'> = {
	Component: AttachmentsDialog,
	layer: attachmentsLayer,
};
