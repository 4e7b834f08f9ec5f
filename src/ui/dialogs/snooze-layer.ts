import {snoozes} from '../../domain/attention.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, withTop} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import {snoozeFor} from '../attention-intents.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the snooze dialog: a number, or the cursor. */
export function snoozeLayer(
	parts: AppParts,
	dialog: Dialog & {kind: 'snooze'},
	lists: () => Lists,
): KeyLayer {
	const list = listLayer(parts, {
		context: 'snooze',
		index: dialog.index,
		count: () => snoozes.length,
		moved: index => setView(parts.view, view => withTop(view, {...dialog, index})),
		chosen(action) {
			if (action === 'snooze-chosen') snoozeFor(parts, lists(), dialog.index);
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			const index = snoozes.findIndex(({key}) => key === press.name);
			if (index < 0) return list.handle(press, isAlone);
			snoozeFor(parts, lists(), index);
			return 'consumed';
		},
	};
}
