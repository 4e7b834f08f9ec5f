import {type Binding, bindings, findBinding, isEnabled} from './bindings.ts';
import type {KeyContext, KeyFacts} from './facts.ts';

/** Bindings for the footer: those of the focus that have a hint, work now and lost no key, in the table's order. */
export function hintsOf(contexts: readonly KeyContext[], facts: KeyFacts): Binding[] {
	return bindings.filter(
		binding =>
			binding.hint !== undefined &&
			findBinding(contexts, binding.keys[0]) === binding &&
			isEnabled(binding, facts) === true,
	);
}
