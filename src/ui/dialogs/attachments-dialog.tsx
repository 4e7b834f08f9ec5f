import {useStore} from 'zustand';
import {attachmentLimit} from '../../domain/messages/attachment.ts';
import {singleKeys} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, pushDialog} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {lineWidth, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {byteSize} from '../../text/values/numbers.ts';
import {attachmentSpans} from '../composer/attachment-chips.ts';
import {attachedBytes, attachmentsOf, removeAttachment} from '../composer/composer-attachments.ts';
import {targets} from '../contexts.ts';
import {handleKey} from '../handle-key.ts';
import type {Intents} from '../intents.ts';
import {dialogRect, rectAbove} from '../kit/dialog-rect.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {setView} from '../set-view.ts';
import {type AppParts, useApp} from '../use-app.ts';

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

type Props = {readonly dialog: Dialog & {kind: 'attachments'}; readonly layout: Layout};

const nothing = {images: [], files: []};

/** Lists the attachments of the message being written. */
export function AttachmentsDialog({dialog, layout}: Props) {
	const {composers} = useApp();
	const composer = useStore(composers, ({bySession}) => bySession.get(dialog.sessionId) ?? nothing);
	const attached = attachmentsOf(composer);
	const rows = Math.max(1, attached.length);
	const rect = layout.composer ? rectAbove(layout.composer, rows) : dialogRect(layout, 76, rows);
	const height = rect.height - 2;
	const top = listTop(0, dialog.selected, height, attached.length);
	useChoiceZone({
		context: 'attachments',
		rect,
		above: 1,
		top,
		shown: Math.min(height, attached.length - top),
		index: dialog.selected,
		down: 'attachment-down',
		up: 'attachment-up',
		choose: 'attachments-close',
	});
	return (
		<Pane
			rect={rect}
			title={[span(safe`Attached`, 'heading')]}
			right={[span(safe`${byteSize(attachedBytes(composer))} of ${byteSize(attachmentLimit)}`, 'dim')]}
			isFocused
			body={attached.slice(top, top + height).map((facts, index) => {
				const room = rect.width - 4 - lineWidth(attachmentSpans(facts, safe``));
				const name = cutMiddle(cleanLine(facts.name, 255), Math.max(1, room));
				return {
					line: [span(safe` `), ...attachmentSpans(facts, name)],
					isSelected: top + index === dialog.selected,
				};
			})}
		/>
	);
}

/** Keys of the attachment list: every letter is a key, since there is no text field. */
export function attachmentsLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	return {
		name: 'attachments',
		isModal: true,
		handle(press) {
			for (const single of singleKeys(press)) handleKey(parts, lists, single);
			return 'consumed';
		},
	};
}
