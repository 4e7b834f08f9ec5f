import {type Binding, isEnabled} from './bindings.ts';
import type {KeyContext} from './key-contexts.ts';
import type {KeyMap} from './key-map.ts';
import type {KeyState} from './key-state.ts';

/** A binding in the footer, with its key and label there. */
export type Hint = {readonly binding: Binding; readonly key: string; readonly label: string};

/**
 * The footer hints: enabled bindings of the focused contexts with a hint and a key, in table order; while the service
 * takes no requests, first those that help.
 */
export function hintsOf(keys: KeyMap, contexts: readonly KeyContext[], state: KeyState): Hint[] {
	const helps = (binding: Binding) => state.isBlocked && binding.hintNow?.(state) !== undefined;
	const {bindings} = keys;
	return [...bindings.filter(helps), ...bindings.filter(binding => !helps(binding))].flatMap(binding => {
		const label = binding.hintNow?.(state) ?? binding.hint;
		if (label === undefined || isEnabled(binding, state) !== true) return [];
		const [key] = keys.keysOf(binding, contexts);
		return key === undefined ? [] : [{binding, key, label}];
	});
}
