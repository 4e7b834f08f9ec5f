import {type Binding, bindings, isEnabled} from './bindings.ts';
import type {KeyContext, KeyFacts} from './facts.ts';

/** Bindings for the footer: those of the focus that have a hint and work now, in the table's order. */
export function hintsOf(contexts: readonly KeyContext[], facts: KeyFacts): Binding[] {
	return bindings.filter(
		binding =>
			binding.hint !== undefined &&
			binding.contexts.some(context => contexts.includes(context)) &&
			isEnabled(binding, facts) === true,
	);
}
