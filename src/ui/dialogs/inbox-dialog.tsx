import {useEffect, useMemo, useRef} from 'react';
import {subjectKey} from '../../domain/sessions/attention.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {inboxItems} from '../../state/lists/inbox.ts';
import {itemAt, type NeedsItem} from '../../state/lists/needs-items.ts';
import {restoreSelection} from '../../state/rows/restore-selection.ts';
import {cursorOn} from '../../state/view/cursor.ts';
import {inboxOn, popDialog, pushDialog, withTop} from '../../state/view/dialogs.ts';
import {targets} from '../../state/view/targets.ts';
import {setView} from '../../state/view/view.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {bindingsOf} from '../keys/binding.ts';
import {inViews} from '../keys/key-contexts.ts';
import {hasItem} from '../keys/reasons.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import {agesChangeAt} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {openItem} from '../open-session.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {inboxColumns, inboxRow, isNarrow, reasonRows} from './inbox-row.ts';
import {listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.inbox;

const maxWidth = 132;
/** Rows for the reason of the row at the cursor, on a narrow screen. */
const reasonHeight = 2;

/** Lists everything that needs the user, with how long it has waited; below it, the acknowledged and snoozed. */
function InboxDialog({dialog, layout, lists}: DialogProps<'inbox'>) {
	const {keys} = useApp();
	const items = useMemo(() => inboxItems(lists.all), [lists.all]);
	useSelection(items, dialog);
	const starts = items.map(({since}) => since);
	const now = useNow(at => agesChangeAt(starts, at));
	const waiting = items.filter(({mark}) => mark === undefined).length;
	const width = Math.min(maxWidth, layout.columns - 4);
	const below = items.length > 0 && isNarrow(dialogRect(layout, width, 0).width - 3) ? reasonHeight : 0;
	const rows = Math.max(3, items.length) + below;
	const rect = dialogRect(layout, width, Math.min(rows, layout.rows - 6));
	const columns = useMemo(() => inboxColumns(items, rect.width - 3), [items, rect.width]);
	const index = Math.max(0, indexOf(items, dialog));
	const reason = reasonRows(items[index], rect.width - 6, below);
	return (
		<ChoicePane
			rect={rect}
			title={[span(text.title, 'heading'), ...countSpans(waiting, items.length - waiting)]}
			right={[span(strings.close(keys.label('cancel')), 'dim')]}
			count={items.length}
			index={index}
			renderRow={row => inboxRow(items[row], columns, now)}
			empty={[{line: []}, {line: [span(safe`  ✓ `, 'good'), span(text.empty, 'dim')]}]}
			foot={reason.map(line => ({line: [span(safe`   `), ...line]}))}
			context="inbox"
			choose="inbox-open"
		/>
	);
}

function countSpans(waiting: number, handled: number): Line {
	return [
		span(text.waiting(waiting), waiting > 0 ? 'warn' : 'dim'),
		...(handled > 0 ? [span(text.setAside(handled), 'dim')] : []),
	];
}

/** Keeps the cursor on its row; when that leaves the inbox, moves it to the nearest remaining one. */
function useSelection(items: readonly NeedsItem[], dialog: DialogOf<'inbox'>): void {
	const {view} = useApp();
	const lastItems = useRef<readonly NeedsItem[]>(items);
	useEffect(() => {
		const old = lastItems.current;
		lastItems.current = items;
		if (indexOf(items, dialog) >= 0) return;
		const keys = new Set(items.map(subjectKey));
		const next = restoreSelection(old, indexOf(old, dialog), item => keys.has(subjectKey(item))) ?? items[0];
		if (!next && dialog.id === undefined) return;
		setView(view, now => (now.dialogs.at(-1)?.kind === 'inbox' ? withTop(now, inboxOn(next)) : now));
	}, [items, dialog, view]);
}

/** Index of the cursor's row, or -1. */
function indexOf(items: readonly NeedsItem[], {id, isComputer}: DialogOf<'inbox'>): number {
	const kind = isComputer ? 'computer' : 'session';
	return items.findIndex(item => item.id === id && item.kind === kind);
}

/** Keys of the inbox: the list keys move the cursor, all others act on its row. */
function inboxLayer(parts: AppParts, dialog: DialogOf<'inbox'>): KeyLayer {
	const items = inboxItems(listsNow(parts).all);
	return listLayer(parts, {
		context: 'inbox',
		index: Math.max(0, indexOf(items, dialog)),
		count: () => items.length,
		moved(to) {
			const item = items[to];
			if (item) setView(parts.view, view => withTop(view, inboxOn(item)));
		},
	});
}

export const inboxBindings = bindingsOf([
	{
		action: 'inbox',
		keys: ['I'],
		title: 'Inbox: everything that needs you, including acknowledged and snoozed',
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
		run(parts, lists) {
			const item = itemAt(lists.all, targets(parts.view.getState()));
			if (!item) return;
			setView(parts.view, popDialog);
			openItem(parts, item);
			setView(parts.view, view => ({...view, cursor: cursorOn('needs', item)}));
		},
	},
]);

export const inboxDialog: DialogModule<'inbox'> = {Component: InboxDialog, layer: inboxLayer};
