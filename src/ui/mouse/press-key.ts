import {typesText} from '../../keys/key-name.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import type {AppParts} from '../use-app.ts';

/** Presses a key for the user, on a click on its hint. */
export function pressKey(parts: AppParts, key: string): void {
	const text = key === 'space' ? ' ' : typesText(key) ? key : '';
	parts.input.press(parts, {name: key, text, isClicked: true});
}

/** Performs an action's key in a context; does nothing if the action has no key there. */
export function pressAction(parts: AppParts, context: KeyContext, action: ActionName): void {
	const {keys} = parts;
	const [key] = keys.bindings
		.filter(binding => binding.action === action)
		.flatMap(binding => keys.keysOf(binding, [context]));
	if (key !== undefined) pressKey(parts, key);
}
