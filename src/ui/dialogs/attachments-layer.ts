import {singleKeys} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists.ts';
import {handleKey} from '../handle-key.ts';
import type {AppParts} from '../use-app.ts';

/** Letters are keys in the list of what is attached. */
export function attachmentsLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	return {
		name: 'attachments',
		isModal: true,
		handle(press) {
			for (const single of singleKeys(press)) handleKey(parts, lists, single);
			return 'consumed';
		},
	};
}
