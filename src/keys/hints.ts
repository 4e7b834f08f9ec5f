import {type Binding, isEnabled} from './bindings/bindings.ts';
import type {KeyContext} from './key-contexts.ts';
import type {KeyMap} from './key-map.ts';
import type {KeyState} from './key-state.ts';

/** A binding in the footer, with its key and label there. */
export type Hint = {readonly binding: Binding; readonly key: string; readonly label: string};

/**
 * The footer hints: enabled bindings of the focused contexts with a hint and a key, in table order. First come keys
 * for what needs the user, or keys that help while the service accepts no requests.
 */
export function hintsOf(keys: KeyMap, contexts: readonly KeyContext[], state: KeyState): Hint[] {
	const focused = keys.bindings.filter(
		({hint, hintNow, contexts: own}) => (hint || hintNow) && own.some(context => contexts.includes(context)),
	);
	const groups = [true, 'then', false].map(group =>
		focused.filter(binding => (binding.isFirst?.(state, contexts) ?? false) === group),
	);
	return groups.flat().flatMap(binding => {
		const label = binding.hintNow?.(state) ?? binding.hint;
		if (!label || isEnabled(binding, state) !== true) return [];
		const [key] = keys.keysOf(binding, contexts);
		return key === undefined ? [] : [{binding, key, label}];
	});
}
