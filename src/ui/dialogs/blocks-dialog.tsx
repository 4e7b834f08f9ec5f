import {copyText} from '../../actions/copy-text.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {lineCount} from '../../text/messages/row-text.ts';
import {type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {choiceLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.blocks;

/** Lists the parts of a message that can be copied separately, each by its first line. */
function BlocksDialog({dialog, layout}: DialogProps<'blocks'>) {
	const {keys} = useApp();
	const {blocks, index} = dialog;
	return (
		<ChoiceDialog
			layout={layout}
			title={text.title}
			hint={text.keys(keys.label('copy-chosen'), keys.label('cancel'))}
			index={index}
			context="blocks"
			choose="copy-chosen"
			rows={width => blocks.map((block, row) => blockLine(block, row, width))}
		/>
	);
}

function blockLine(block: DialogOf<'blocks'>['blocks'][number], row: number, width: number): Line {
	const firstLine = block.text.trimStart().split('\n', 1)[0] ?? '';
	const lines = lineCount(block.text.trimEnd());
	const columns = Math.max(4, width - 25);
	return [
		span(pad(row < 9 ? safe`${row + 1}` : safe``, 3), 'strong'),
		span(pad(cleanLine(block.label, 40), 10), 'accent'),
		span(safe` `),
		span(pad(cutEnd(cleanLine(firstLine, 400), columns), columns), 'code'),
		span(pad(lines === 1 ? safe`` : text.lines(lines), 10, 'end'), 'dim'),
	];
}

/** Keys of the message-block list; digits 1 to 9 copy the first nine blocks directly. */
function blocksLayer(parts: Parts<'actions' | 'keys' | 'view'>, dialog: DialogOf<'blocks'>): KeyLayer {
	const {blocks} = dialog;
	const copy = (row: number) => {
		const block = blocks[row];
		if (!block) return;
		setView(parts.view, popDialog);
		void copyText(parts.actions, block.text, text.copied(block.label));
	};
	return choiceLayer(parts, dialog, blocks.length, {
		chosen(action, at) {
			if (action === 'copy-chosen') copy(at);
		},
		pick: copy,
	});
}

export const blocksDialog: DialogModule<'blocks'> = {Component: BlocksDialog, layer: blocksLayer};
