import {type Binding, isEnabled} from './bindings.ts';
import type {KeyMap} from './key-map.ts';
import type {KeyContext, KeyState} from './key-state.ts';

/** A binding in the footer, with the key that reaches it there. */
export type Hint = {readonly binding: Binding; readonly key: string};

/** Those of the focus that have a hint and a key, and work now, in the table's order. */
export function hintsOf(keys: KeyMap, contexts: readonly KeyContext[], facts: KeyState): Hint[] {
	return keys.bindings.flatMap(binding => {
		if (binding.hint === undefined || isEnabled(binding, facts) !== true) return [];
		const [key] = keys.keysOf(binding, contexts);
		return key === undefined ? [] : [{binding, key}];
	});
}
