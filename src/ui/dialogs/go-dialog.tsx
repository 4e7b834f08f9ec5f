import {type GoTarget, goTargets} from '../../state/go-targets.ts';
import type {Lists} from '../../state/lists.ts';
import type {Dialog} from '../../state/view.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';

type Props = {readonly dialog: Dialog & {kind: 'go'}; readonly layout: Layout; readonly lists: Lists};

/** Views, sessions and computers by name. */
export function GoDialog({dialog, layout, lists}: Props) {
	const targets = goTargets(dialog.query, lists);
	const rect = dialogRect(layout, Math.min(70, layout.columns - 4), Math.min(18, layout.rows - 4));
	const room = rect.height - 4;
	const top = listTop(0, dialog.index, room, targets.length);
	const below = targets.length - top - room;
	const search: Line = [
		span(safe`  : `, 'accent'),
		span(cleanLine(dialog.query)),
		span(safe`▏`, 'accent'),
		span(dialog.query === '' ? safe`a view, a session, a computer` : safe``, 'dim'),
	];
	return (
		<Pane
			rect={rect}
			title={[span(safe`Go to`, 'heading')]}
			right={[span(safe`Enter goes · Esc closes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={[
				{line: search},
				{line: []},
				...(targets.length === 0 ? [{line: [span(safe`  Nothing is called so.`, 'dim')]}] : []),
				...targets.slice(top, top + room).map((target, index) => ({
					line: targetLine(target, rect.width - 4),
					isSelected: top + index === dialog.index,
				})),
			]}
		/>
	);
}

function targetLine(target: GoTarget, width: number): Line {
	const kind = target.kind === 'view' ? safe`view ${cleanLine(target.key)}` : cleanLine(target.kind);
	return [
		span(safe`  `),
		span(pad(cleanLine(target.name), Math.max(4, width - 12))),
		span(safe`  `),
		span(pad(kind, 10), 'dim'),
	];
}
