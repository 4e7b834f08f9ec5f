import type {KeyLayer} from '../../keys/layers.ts';
import {targets} from '../../state/view/targets.ts';
import type {AppParts} from '../use-app.ts';
import {offerImages} from './composer-attachments.ts';
import {edit} from './composer-edit.ts';
import {composerAt} from './composers.ts';

/**
 * Typed input is text even if it looks like a key name: an input method or a fast typist may send "up" in one
 * chunk. Suggestions, if any, get keys first.
 */
export function composerLayer(parts: AppParts): KeyLayer {
	const sessionId = () => targets(parts.view.getState()).sessionId ?? '';
	return {
		name: 'composer',
		isModal: true,
		handle(press) {
			if (press.text !== '') edit(parts, sessionId(), {type: 'insert', text: press.text});
			else if (parts.input.handleKey(parts, press) === 'ignored')
				return parts.input.handleKey(parts, press, ['composer']);
			return 'consumed';
		},
		paste(text) {
			const id = sessionId();
			const start = composerAt(parts.composers, id)?.editor.cursor ?? 0;
			edit(parts, id, {type: 'paste', text});
			void offerImages(parts, id, text, start);
			return 'consumed';
		},
	};
}
