import {copyText} from '../../actions/copy-text.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {lineCount} from '../../text/messages/collapsed-rows.ts';
import {bindingsIn} from '../keys/binding.ts';
import type {AppParts} from '../use-app.ts';
import type {DialogOf} from './dialog-module.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

/** Lists the parts of a message that can be copied separately, each by its first line. */
export const blocksDialog: ListModule<'blocks', Block> = listDialog({
	kind: 'blocks',
	choose: 'copy-chosen',
	rows: ({blocks}) => blocks,
	lines: (_, width) => (block, at) => blockLine(block, at, width),
	title: () => [span(safe`Copy part of the message`, 'heading')],
	hasMark: true,
	digit: copyBlock,
});

type Block = DialogOf<'blocks'>['blocks'][number];

function blockLine(block: Block, row: number, width: number): Line {
	const firstLine = block.text.trimStart().split('\n', 1)[0] ?? '';
	const lines = lineCount(block.text.trimEnd());
	const columns = Math.max(4, width - 25);
	return [
		span(pad(row < 9 ? safe`${row + 1}` : safe``, 3), 'strong'),
		span(pad(cleanLine(block.label, 40), 10), 'accent'),
		span(safe` `),
		span(pad(cutEnd(cleanLine(firstLine, 400), columns), columns), 'code'),
		span(pad(lines === 1 ? safe`` : safe`${lines} lines`, 10, 'end'), 'dim'),
	];
}

export const blockBindings = bindingsIn({contexts: ['blocks'], isPaletteHidden: true}, [
	{
		action: 'copy-chosen',
		keys: ['enter', 'y'],
		title: 'Copy it',
		hint: 'copy',
		run: blocksDialog.onRow(copyBlock),
	},
]);

function copyBlock({actions, view}: AppParts, {label, text: words}: Block): void {
	setView(view, popDialog);
	void copyText(actions, words, `the ${label} block`);
}
