import {type Binding, isEnabled, type Now} from './binding.ts';
import type {KeyMap} from './key-map.ts';

export type Hint = {readonly binding: Binding; readonly key: string; readonly label: string};

/**
 * The footer hints: enabled bindings of the focused contexts with a hint and a key, in table order, but those that
 * are first (`isFirst`) or then before all others.
 */
export function hintsOf(keys: KeyMap, now: Now): Hint[] {
	const {contexts} = now;
	const focused = keys.bindings.filter(
		({hint, hintNow, contexts: own}) => (hint || hintNow) && own.some(context => contexts.includes(context)),
	);
	const groups = [true, 'then', false].map(group =>
		focused.filter(binding => (binding.isFirst?.(now) ?? false) === group),
	);
	return groups.flat().flatMap(binding => {
		const label = binding.hintNow?.(now) ?? binding.hint;
		if (!label || isEnabled(binding, now) !== true) return [];
		const [key] = keys.keysOf(binding, contexts);
		return key === undefined ? [] : [{binding, key, label}];
	});
}
