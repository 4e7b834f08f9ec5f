import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists.ts';
import {targets} from '../contexts.ts';
import {handleKey} from '../handle-key.ts';
import type {AppParts} from '../use-app.ts';
import {offerImage} from './composer-attachments.ts';
import {edit} from './composer-edit.ts';

/**
 * Typed input is text even if it looks like a key name: an input method or a fast typist may send "up" in one
 * chunk. Suggestions, if any, get keys first.
 */
export function composerLayer(parts: AppParts, lists: () => Lists): KeyLayer {
	const sessionId = () => targets(parts.view.getState()).sessionId ?? '';
	return {
		name: 'composer',
		isModal: true,
		handle(press) {
			if (press.text !== '') edit(parts, sessionId(), {type: 'insert', text: press.text});
			else if (handleKey(parts, lists, press) === 'ignored')
				return handleKey(parts, lists, press, ['composer']);
			return 'consumed';
		},
		paste(text) {
			const id = sessionId();
			const start = parts.composers.getState().bySession.get(id)?.editor.cursor ?? 0;
			edit(parts, id, {type: 'paste', text});
			void offerImage(parts, id, text, start);
			return 'consumed';
		},
	};
}
