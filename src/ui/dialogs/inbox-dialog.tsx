import {inboxItems, type NeedsItem} from '../../state/lists/lists.ts';
import {cursorOn} from '../../state/view/cursor.ts';
import {inboxOn, popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {bindingsOf} from '../keys/binding.ts';
import {inViews} from '../keys/key-contexts.ts';
import {hasItem} from '../keys/reasons.ts';
import {agesChangeAt} from '../kit/ticker.ts';
import {openItem} from '../open-session.ts';
import {inboxColumns, inboxRow, isNarrow, reasonRows} from './inbox-row.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

/** Rows for the reason of the row at the cursor, on a narrow screen. */
const reasonHeight = 2;

/** Lists everything that needs the user, with how long it has waited; below it, the acknowledged and snoozed. */
export const inboxDialog: ListModule<'inbox', NeedsItem> = listDialog({
	kind: 'inbox',
	choose: 'inbox-open',
	width: 132,
	rows: (_, {all}) => inboxItems(all),
	lines(items, width) {
		const columns = inboxColumns(items, width);
		return (item, _, now) => inboxRow(item, columns, now);
	},
	title({rows}) {
		const waiting = rows.filter(({mark}) => mark === undefined).length;
		return [span(safe`Inbox`, 'heading'), ...countSpans(waiting, rows.length - waiting)];
	},
	empty: () => [[], [span(safe`  ✓ `, 'good'), span(safe`Nothing needs you`, 'dim')]],
	foot: (item, width) => (item && isNarrow(width + 3) ? reasonRows(item, width, reasonHeight) : []),
	changesAt: (items, now) =>
		agesChangeAt(
			items.map(({since}) => since),
			now,
		),
	cursor: {
		indexOf({id, isComputer}, items) {
			const kind = isComputer ? 'computer' : 'session';
			return items.findIndex(item => item.id === id && item.kind === kind);
		},
		on: (_, item) => inboxOn(item),
	},
});

function countSpans(waiting: number, handled: number): Line {
	return [
		span(safe`  ${waiting} waiting`, waiting > 0 ? 'warn' : 'dim'),
		...(handled > 0 ? [span(safe` · ${handled} acknowledged or snoozed`, 'dim')] : []),
	];
}

export const inboxBindings = bindingsOf([
	{
		action: 'inbox',
		keys: ['I'],
		title: 'Inbox: all that needs you, acknowledged and snoozed too',
		contexts: inViews,
		run(parts, lists) {
			const first = inboxItems(lists.all)[0];
			setView(parts.view, view => pushDialog(view, inboxOn(first)));
		},
	},
	{
		action: 'inbox-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		isEnabled: hasItem,
		contexts: ['inbox'],
		isPaletteHidden: true,
		run: inboxDialog.onRow((parts, item) => {
			setView(parts.view, popDialog);
			openItem(parts, item);
			setView(parts.view, view => ({...view, cursor: cursorOn('needs', item)}));
		}),
	},
]);
