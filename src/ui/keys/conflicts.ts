import {keyLabel} from '../../keys/key-label.ts';
import type {Binding} from './binding.ts';
import {isSameContext, type KeyContext, keyContexts} from './key-contexts.ts';

/** A key with two meanings in the same contexts. */
export type Conflict = {
	readonly key: string;
	readonly contexts: readonly KeyContext[];
	readonly first: Binding;
	readonly second: Binding;
};

/** Finds all conflicts, one per key and pair of actions; `first` precedes `second` in the list. */
export function conflictsOf(bindings: readonly Binding[]): Conflict[] {
	const found = new Map<string, Conflict>();
	for (const [index, first] of bindings.entries())
		for (const second of bindings.slice(index + 1)) {
			const context = commonContext(first, second);
			if (context === undefined || first.action === second.action) continue;
			for (const key of first.keys.filter(one => second.keys.includes(one))) {
				const id = [key, ...[first.action, second.action].toSorted()].join(' ');
				const before = found.get(id);
				found.set(id, {key, first, second, ...before, contexts: [...(before?.contexts ?? []), context]});
			}
		}
	return [...found.values()];
}

/** Describes a conflict and which binding wins. The lower `rank` takes precedence. */
export function conflictText(
	{key, contexts, first, second}: Conflict,
	rank: (binding: Binding) => number,
): string {
	const [winner, loser] = rank(first) <= rank(second) ? [first, second] : [second, first];
	const where = [...new Set(contexts.map(context => keyContexts[context].title))].join(', ');
	return `${keyLabel(key)} is ${winner.action}, not ${loser.action}, in ${where}: give ${loser.action} another key`;
}

function commonContext(first: Binding, second: Binding): KeyContext | undefined {
	return first.contexts.find(one => second.contexts.some(other => isSameContext(one, other)));
}
