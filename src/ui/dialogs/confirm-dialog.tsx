import type {Dialog} from '../../state/dialogs.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';
import {pressAction} from '../mouse/press-key.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';

/** A modal question that must be answered before anything else. */
export function ConfirmDialog({
	dialog,
	layout,
}: {
	readonly dialog: Dialog & {kind: 'confirm'};
	readonly layout: Layout;
}) {
	const parts = useApp();
	const {keys} = parts;
	const width = Math.min(60, layout.columns - 4);
	const rows = wrapText(cleanLine(dialog.text), width - 4);
	const rect = dialogRect(layout, width, rows.length + 4);
	const answers = [
		{action: 'confirm', words: safe` yes      `},
		{action: 'refuse', words: safe` no`},
	] as const;
	const yesEnd = 3 + textWidth(keys.label('confirm')) + textWidth(answers[0].words);
	useZone({
		rect,
		order: zoneOrder.dialog,
		press({x, y}) {
			if (y === rows.length + 3) pressAction(parts, 'confirm', x < yesEnd ? 'confirm' : 'refuse');
		},
	});
	return (
		<Pane
			rect={rect}
			title={[span(cleanLine(dialog.title, 80), 'heading')]}
			isFocused
			body={[
				{line: []},
				...rows.map(row => ({line: [span(safe`  `), span(row)]})),
				{line: []},
				{
					line: [
						span(safe`  `),
						...answers.flatMap(({action, words}) => [span(keys.label(action), 'strong'), span(words, 'dim')]),
					],
				},
			]}
		/>
	);
}
