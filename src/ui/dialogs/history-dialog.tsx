import type {Dialog} from '../../state/dialogs.ts';
import {cleanLine} from '../../text/clean.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import type {Row} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import {queryLine} from '../kit/query-line.ts';
import {rectAbove} from '../kit/rect-above.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout} from '../layout.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {matchesOf} from './history-search.ts';

type Props = {readonly dialog: Dialog & {kind: 'history'}; readonly layout: Layout};

const maxRows = 12;

/** Messages sent earlier, newest first, filtered by the query. */
export function HistoryDialog({dialog, layout}: Props) {
	const found = matchesOf(dialog);
	const rows = Math.max(1, Math.min(found.length, maxRows)) + 1;
	const rect = layout.composer ? rectAbove(layout.composer, rows) : dialogRect(layout, 76, rows);
	const height = rect.height - 3;
	const top = listTop(0, dialog.selected, height, found.length);
	const search = queryLine(safe` / `, dialog.query, safe`type to search`, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	const list: Row[] = found.slice(top, top + height).map(({text, isHere}, index) => ({
		line: [span(isHere ? safe`   ` : safe` ~ `, 'dim'), span(cleanLine(text, 400), isHere ? 'text' : 'dim')],
		isSelected: top + index === dialog.selected,
	}));
	useChoiceZone({
		context: 'history',
		rect,
		above: 2,
		top,
		shown: list.length,
		index: dialog.selected,
		down: 'history-older',
		up: 'history-newer',
		choose: 'history-take',
	});
	const nothing: Row = {
		line: [span(dialog.texts.length === 0 ? safe`   Nothing sent yet` : safe`   No matches`, 'dim')],
	};
	const isMixed = found.some(({isHere}) => !isHere);
	return (
		<Pane
			rect={rect}
			title={[span(safe`Sent messages`, 'heading')]}
			right={found.length > 0 ? [span(safe`${dialog.selected + 1} of ${found.length}`, 'dim')] : []}
			{...(isMixed && {bottom: [span(safe`~ to another session`, 'dim')]})}
			isFocused
			body={[{line: search.line}, ...(list.length > 0 ? list : [nothing])]}
		/>
	);
}
