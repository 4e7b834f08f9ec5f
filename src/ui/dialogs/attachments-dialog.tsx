import {useStore} from 'zustand';
import {attachmentLimit} from '../../domain/attachment.ts';
import type {Dialog} from '../../state/dialogs.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutMiddle} from '../../text/cut.ts';
import {lineWidth, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {byteSize} from '../../text/size.ts';
import {attachmentSpans} from '../composer/attachment-chips.ts';
import {attachedBytes, attachmentsOf} from '../composer/composer-attachments.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {rectAbove} from '../kit/rect-above.ts';
import type {Layout} from '../layout.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {useApp} from '../use-app.ts';

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
