import {copyText} from '../../actions/copy-text.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {lineCount} from '../../text/messages/row-text.ts';
import {bindingsIn} from '../keys/binding.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {choiceLayer, topDialog} from './list-layer.ts';
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

export const blockBindings = bindingsIn({contexts: ['blocks'], isPaletteHidden: true}, [
	{
		action: 'copy-chosen',
		keys: ['enter', 'y'],
		title: 'Copy it',
		hint: 'copy',
		run: parts => copyBlock(parts, topDialog(parts.view, 'blocks')?.index),
	},
]);

/** Keys of the message-block list; digits 1 to 9 copy the first nine blocks directly. */
function blocksLayer(parts: AppParts, dialog: DialogOf<'blocks'>): KeyLayer {
	return choiceLayer(parts, dialog, dialog.blocks.length, {pick: row => copyBlock(parts, row)});
}

function copyBlock(parts: Parts<'actions' | 'view'>, row = 0): void {
	const block = topDialog(parts.view, 'blocks')?.blocks[row];
	if (!block) return;
	setView(parts.view, popDialog);
	void copyText(parts.actions, block.text, text.copied(block.label));
}

export const blocksDialog: DialogModule<'blocks'> = {Component: BlocksDialog, layer: blocksLayer};
