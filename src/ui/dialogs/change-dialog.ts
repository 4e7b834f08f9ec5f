import {type Dialog, withTop} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

type Of<Kind extends Dialog['kind']> = Extract<Dialog, {kind: Kind}>;

/**
 * Updates the top dialog if it is of this kind. `change` receives its current state, since several events can
 * arrive between two frames.
 */
export function changeDialog<Kind extends Dialog['kind']>(
	{view}: Pick<AppParts, 'view'>,
	kind: Kind,
	change: (dialog: Of<Kind>) => Of<Kind>,
): void {
	setView(view, now => {
		const dialog = now.dialogs.at(-1);
		return dialog?.kind === kind ? withTop(now, change(dialog as Of<Kind>)) : now;
	});
}
