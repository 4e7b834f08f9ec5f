import type {Dialog} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {wrapText} from '../../text/wrap.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';

/** A question that must be answered first. */
export function ConfirmDialog({
	dialog,
	layout,
}: {
	readonly dialog: Dialog & {kind: 'confirm'};
	readonly layout: Layout;
}) {
	const width = Math.min(60, layout.columns - 4);
	const rows = wrapText(cleanLine(dialog.text), width - 4);
	return (
		<Pane
			rect={dialogRect(layout, width, rows.length + 4)}
			title={[span(cleanLine(dialog.title, 80), 'heading')]}
			isFocused
			body={[
				{line: []},
				...rows.map(row => ({line: [span(safe`  `), span(row)]})),
				{line: []},
				{
					line: [
						span(safe`  y`, 'strong'),
						span(safe` yes      `, 'dim'),
						span(safe`n`, 'strong'),
						span(safe` no`, 'dim'),
					],
				},
			]}
		/>
	);
}
