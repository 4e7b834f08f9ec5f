import {copyText} from '../../actions/copy-text.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, withTop} from '../../state/dialogs.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {lineCount} from '../../text/messages/row-text.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import {setView} from '../set-view.ts';
import {type Parts, useApp} from '../use-app.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.blocks;

/** Lists the parts of a message that can be copied separately, each by its first line. */
function BlocksDialog({dialog, layout}: DialogProps<'blocks'>) {
	const {keys} = useApp();
	const {blocks, index} = dialog;
	const rect = dialogRect(layout, Math.min(80, layout.columns - 4), Math.min(blocks.length, 16));
	return (
		<ChoicePane
			rect={rect}
			title={[span(text.title, 'heading')]}
			right={[span(text.keys(keys.label('copy-chosen'), keys.label('cancel')), 'dim')]}
			count={blocks.length}
			index={index}
			renderRow={row => blockLine(blocks[row], row, rect.width - 4)}
			context="blocks"
			choose="copy-chosen"
		/>
	);
}

function blockLine(
	block: DialogOf<'blocks'>['blocks'][number] | undefined,
	row: number,
	width: number,
): Line {
	if (!block) return [];
	const firstLine = block.text.trimStart().split('\n', 1)[0] ?? '';
	const lines = lineCount(block.text.trimEnd());
	const columns = Math.max(4, width - 26);
	return [
		span(pad(row < 9 ? safe` ${row + 1}` : safe``, 4), 'strong'),
		span(pad(cleanLine(block.label, 40), 10), 'accent'),
		span(safe` `),
		span(pad(cutEnd(cleanLine(firstLine, 400), columns), columns), 'code'),
		span(pad(lines === 1 ? safe`` : text.lines(lines), 10, 'end'), 'dim'),
	];
}

/** Keys of the message-block list; digits 1 to 9 copy the first nine blocks directly. */
function blocksLayer(parts: Parts<'actions' | 'keys' | 'view'>, dialog: DialogOf<'blocks'>): KeyLayer {
	const {blocks, index} = dialog;
	const copy = (row: number) => {
		const block = blocks[row];
		if (!block) return;
		setView(parts.view, popDialog);
		void copyText(parts.actions, block.text, text.copied(block.label));
	};
	const list = listLayer(parts, {
		context: 'blocks',
		index,
		count: () => blocks.length,
		moved: to => setView(parts.view, view => withTop(view, {...dialog, index: to})),
		chosen(action) {
			if (action === 'copy-chosen') copy(index);
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			if (!/^[1-9]$/.test(press.name)) return list.handle(press, isAlone);
			copy(Number(press.name) - 1);
			return 'consumed';
		},
	};
}

export const blocksDialog: DialogModule<'blocks'> = {Component: BlocksDialog, layer: blocksLayer};
