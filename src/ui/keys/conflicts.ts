import {keyLabel} from '../../keys/key-label.ts';
import type {Binding} from './binding.ts';
import {isSameContext, type KeyContext, keyContexts} from './key-contexts.ts';

/** A key with two meanings in one context. */
export type Conflict = {
	readonly key: string;
	readonly context: KeyContext;
	readonly first: Binding;
	readonly second: Binding;
};

/** Finds all conflicts, one per key and pair of bindings; `first` precedes `second` in the list. */
export function conflictsOf(bindings: readonly Binding[]): Conflict[] {
	return bindings.flatMap((first, index) =>
		bindings.slice(index + 1).flatMap(second => {
			const shared = first.keys.filter(key => second.keys.includes(key));
			if (shared.length === 0 || first.action === second.action) return [];
			const context = commonContext(first, second);
			return context === undefined ? [] : shared.map(key => ({key, context, first, second}));
		}),
	);
}

/** Describes a conflict and which binding wins. The lower `rank` takes precedence. */
export function conflictText(
	{key, context, first, second}: Conflict,
	rank: (binding: Binding) => number,
): string {
	const [winner, loser] = rank(first) <= rank(second) ? [first, second] : [second, first];
	const where = keyContexts[context].title;
	return `${keyLabel(key)} is assigned to ${winner.action} and ${loser.action} in ${where}: ${winner.action} takes precedence, so give ${loser.action} another`;
}

function commonContext(first: Binding, second: Binding): KeyContext | undefined {
	return first.contexts.find(one => second.contexts.some(other => isSameContext(one, other)));
}
