import {helpGroups} from '../../keys/help.ts';
import type {KeyContext, KeyState} from '../../keys/key-state.ts';
import type {Dialog} from '../../state/dialogs.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import {queryLine} from '../kit/query-line.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout} from '../layout.ts';
import {useZone} from '../mouse/use-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {changeDialog} from './change-dialog.ts';
import {helpLines} from './help-lines.ts';

type Props = {
	readonly dialog: Dialog & {kind: 'help'};
	readonly layout: Layout;
	/** The key contexts and state from before the help was opened. */
	readonly contexts: readonly KeyContext[];
	readonly facts: KeyState;
};

const widest = 96;
/** The query row and a blank row. */
const above = 2;

/** Every key, grouped by context and searchable. Focused contexts come first; a disabled key shows why. */
export function HelpDialog({dialog, layout, contexts, facts}: Props) {
	const parts = useApp();
	const {keys, sizes} = parts;
	const rect = dialogRect(layout, Math.min(widest, layout.columns - 4), layout.rows);
	const lines = helpLines(helpGroups(keys, dialog.query, contexts, facts), rect.width - 4);
	const height = Math.max(1, rect.height - 2 - above);
	sizes.dialog = {rows: lines.length, height};
	const top = Math.max(0, Math.min(dialog.top, lines.length - height));
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel(rows) {
			const maxTop = Math.max(0, lines.length - height);
			changeDialog(parts, 'help', now => ({...now, top: Math.max(0, Math.min(maxTop, now.top + rows))}));
		},
	});
	const below = lines.length - top - height;
	const search = queryLine(safe` / `, dialog.query, safe`type to search`, rect.width - 2);
	useScreenCursor({x: rect.x + 1 + search.cursor, y: rect.y + 1});
	return (
		<Pane
			rect={rect}
			title={[span(safe`Keys`, 'heading')]}
			right={[span(safe`${keys.label('cancel')} closes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={[
				{line: search.line},
				{line: []},
				...(lines.length === 0 ? [{line: [span(safe`  No matches.`, 'dim')]}] : []),
				...lines.slice(top, top + height).map(line => ({line: [span(safe` `), ...line]})),
			]}
		/>
	);
}
