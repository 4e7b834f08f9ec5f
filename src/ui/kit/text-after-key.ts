import type {ActionName} from '../../keys/bindings.ts';
import type {KeyPress} from '../../keys/key-press.ts';
import {fieldText} from './text-field.tsx';

/** The text after a typing or deleting key; `undefined` for other keys. */
export function textAfterKey(
	words: string,
	press: KeyPress,
	action: ActionName | undefined,
): string | undefined {
	switch (action) {
		case 'erase':
			return Array.from(words).slice(0, -1).join('');
		case 'erase-word':
			return words.trimEnd().replace(/\S+$/, '');
		case 'erase-all':
			return '';
		case undefined:
			return press.text === '' ? undefined : words + fieldText(press.text);
		default:
			return undefined;
	}
}
