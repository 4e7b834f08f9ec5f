import {singleKeys} from '../../keys/key-press.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists.ts';
import {handleKey} from '../handle-key.ts';
import type {AppParts} from '../use-app.ts';

/** Keys of the attachment list: every letter is a key, since there is no text field. */
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
