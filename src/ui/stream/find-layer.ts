import type {KeyLayer} from '../../keys/layers.ts';
import type {Find} from '../../state/find.ts';
import {textAfterKey} from '../kit/text-after-key.ts';
import {fieldText} from '../kit/text-field.tsx';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {endFind, findWords, moveFind} from './finding.ts';

/** Keys while the user types words to find in the session. */
export function findLayer(parts: AppParts, find: Find): KeyLayer {
	const change = (words: string) => findWords(parts, find.sessionId, words, true);
	return {
		name: 'find',
		isModal: true,
		handle(press) {
			const action = parts.keys.find(['find'], press.name)?.action;
			if (action === 'keep-find') keepFind(parts);
			else if (action === 'clear-find') endFind(parts);
			else if (action === 'find-next') moveFind(parts, 1);
			else if (action === 'find-previous') moveFind(parts, -1);
			else {
				const words = textAfterKey(find.words, press, action);
				if (words !== undefined) change(words);
			}
			return 'consumed';
		},
		paste(text) {
			change(find.words + fieldText(text));
			return 'consumed';
		},
	};
}

/** Also saves words without a match: they are found when they arrive. */
function keepFind(parts: AppParts): void {
	const {find} = parts.view.getState();
	if (find && find.words.trim() !== '')
		setView(parts.view, view => ({...view, find: {...find, isTyping: false}}));
	else endFind(parts);
}
