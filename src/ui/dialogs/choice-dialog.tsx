import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Layout} from '../layout.ts';

type Props = {
	readonly layout: Layout;
	readonly title: Safe;
	/** Key hints, shown in the lower border. */
	readonly hint: Safe;
	/** One row per choice, at most `width` columns wide. */
	readonly rows: (width: number) => readonly Line[];
	readonly index: number;
	/** The dialog's key context, and the action that picks a choice in it. */
	readonly context: KeyContext;
	readonly choose: ActionName;
};

/** Columns of the dialog, where the screen has them. */
export const maxWidth = 72;
const maxHeight = 18;

/** A short list over the panes, with one row selected. */
export function ChoiceDialog({layout, title, hint, rows, index, context, choose}: Props) {
	const rect = dialogRect(layout, Math.min(maxWidth, layout.columns - 4), 0);
	const lines = rows(rect.width - 6);
	const {y, height} = dialogRect(layout, maxWidth, Math.min(maxHeight, lines.length));
	return (
		<ChoicePane
			rect={{...rect, y, height}}
			title={[span(title, 'heading')]}
			bottom={[span(hint, 'dim')]}
			count={lines.length}
			index={index}
			renderRow={at => [at === index ? span(safe` ▌ `, 'accent') : span(safe`   `), ...(lines[at] ?? [])]}
			context={context}
			choose={choose}
		/>
	);
}
