import type {Binding} from './bindings.ts';
import {isSameContext, keyContexts} from './key-contexts.ts';
import {keyLabel} from './key-label.ts';
import type {KeyContext} from './key-state.ts';

/** A key that would mean two things in one place. */
export type Conflict = {
	readonly key: string;
	readonly place: KeyContext;
	readonly first: Binding;
	readonly second: Binding;
};

/** All of them, each pair of bindings once for a key; `first` stands before `second` in the list. */
export function conflictsOf(bindings: readonly Binding[]): Conflict[] {
	return bindings.flatMap((first, index) =>
		bindings.slice(index + 1).flatMap(second => {
			const shared = first.keys.filter(key => second.keys.includes(key));
			if (shared.length === 0 || first.action === second.action) return [];
			const place = commonPlace(first, second);
			return place === undefined ? [] : shared.map(key => ({key, place, first, second}));
		}),
	);
}

/** The same in words, with the one that has the key. `rank` is smaller for the binding that goes before. */
export function conflictText(
	{key, place, first, second}: Conflict,
	rank: (binding: Binding) => number,
): string {
	const [winner, loser] = rank(first) <= rank(second) ? [first, second] : [second, first];
	const where = keyContexts[place].title;
	return `${keyLabel(key)} is a key of ${winner.action} and of ${loser.action} in ${where}: ${winner.action} has it, give ${loser.action} another`;
}

function commonPlace(first: Binding, second: Binding): KeyContext | undefined {
	return first.contexts.find(one => second.contexts.some(other => isSameContext(one, other)));
}
