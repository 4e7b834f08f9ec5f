import {notify} from '../../actions/notify.ts';
import {singleKeys} from '../../keys/key-press.ts';
import {type Dialog, withTop} from '../../state/view/dialogs.ts';
import {setView, type View, type ViewStore} from '../../state/view/view.ts';
import type {KeyLayer, KeyOutcome} from '../input.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {fieldText, textAfterKey} from '../kit/text-field.tsx';
import type {AppParts} from '../use-app.ts';
import type {DialogOf} from './dialog-module.ts';

/** A dialog with a list that may be filtered by typing. */
export type ListKeys = {
	readonly context: KeyContext;
	/** Absent when the dialog has no text field. */
	readonly query?: string;
	/** The cursor's row, or the first visible row of a list without a cursor. */
	readonly index: number;
	/** Number of values that `index` can take; called only when a key needs it. */
	readonly count: () => number;
	/** Rows per page; 10 by default. */
	readonly page?: number;
	readonly typed?: (query: string) => void;
	readonly moved: (index: number) => void;
	/** Chooses one of the first nine rows by its digit. */
	readonly pick?: (index: number) => void;
};

const defaultPageSize = 10;

/** Keys of a list dialog: typing filters, the list keys move, all others do what they are bound to. */
export function listLayer(parts: AppParts, dialog: ListKeys): KeyLayer {
	const {context, query, index, count, page = defaultPageSize, typed, moved, pick} = dialog;
	return {
		isModal: true,
		handle(press) {
			let at = index;
			let outcome: KeyOutcome = 'consumed';
			// Without a text field, each character is a separate key press.
			for (const single of query === undefined ? singleKeys(press) : [press]) {
				// Text that arrives at once is no key, even if it looks like a key's name.
				const action = single.text.length > 1 ? undefined : parts.keys.find([context], single.name)?.action;
				const step = stepOf(action, page);
				const words = query === undefined ? undefined : textAfterKey(query, single, action);
				// Digits that arrive together are no choice: the first closes the dialog.
				if (pick && /^[1-9]$/.test(press.name)) pick(Number(press.name) - 1);
				else if (step !== undefined) {
					at = Math.max(0, Math.min(count() - 1, at + step));
					moved(at);
				} else if (words !== undefined) typed?.(words);
				else outcome = parts.input.handleKey(parts, single, [context]);
			}
			return outcome;
		},
		paste(text) {
			if (query === undefined) return 'ignored';
			typed?.(query + fieldText(text));
			return 'consumed';
		},
	};
}

function stepOf(action: ActionName | undefined, page: number): number | undefined {
	switch (action) {
		case 'list-down':
			return 1;
		case 'list-up':
			return -1;
		case 'list-page-down':
			return page;
		case 'list-page-up':
			return -page;
		case 'list-top':
			return Number.NEGATIVE_INFINITY;
		case 'list-bottom':
			return Number.POSITIVE_INFINITY;
		default:
			return undefined;
	}
}

/** Says why a key of a dialog does nothing, until something else is on top: its footer would be covered. */
export function notifyInDialog({actions, view}: AppParts, kind: Dialog['kind'], words: string): void {
	notify(actions, 'info', words, {isCurrent: () => topDialog(view.getState(), kind) !== undefined});
}

/** The top dialog, if it is of this kind. */
export function topDialog<Kind extends Dialog['kind']>(
	{dialogs}: View,
	kind: Kind,
): DialogOf<Kind> | undefined {
	const dialog = dialogs.at(-1);
	return dialog?.kind === kind ? (dialog as DialogOf<Kind>) : undefined;
}

/**
 * Updates the top dialog if it is of this kind. `change` receives its current state, since several events can
 * arrive between two frames.
 */
export function changeDialog<Kind extends Dialog['kind']>(
	view: ViewStore,
	kind: Kind,
	change: (dialog: DialogOf<Kind>) => DialogOf<Kind>,
): void {
	setView(view, now => {
		const dialog = topDialog(now, kind);
		return dialog ? withTop(now, change(dialog)) : now;
	});
}
