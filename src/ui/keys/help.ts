import {keyLabel} from '../../keys/key-label.ts';
import {type Binding, isEnabled, isOffered, type Now} from './binding.ts';
import {type KeyContext, keyContexts} from './key-contexts.ts';
import type {KeyMap} from './key-map.ts';

export type HelpEntry = {
	readonly binding: Binding;
	/** The keys that reach it in the group's context; empty if it has none there. */
	readonly keys: readonly string[];
	/** Why it is disabled, if it is. */
	readonly reason?: string;
	readonly isCustom: boolean;
};

export type HelpGroup = {
	readonly title: string;
	/** Whether it has the focus. */
	readonly isHere: boolean;
	readonly entries: readonly HelpEntry[];
};

/** Minimum number of contexts for a binding to count as global. */
const manyPlaces = 5;
const everyView = 'Every view';

/**
 * Bindings whose keys, title, context or action contain all words of `query`, or that have the key of one character,
 * grouped: first the focused contexts, then global bindings, then the others. Each binding is in one group, disabled
 * ones at its end.
 */
export function helpGroups(keys: KeyMap, query: string, now: Now): HelpGroup[] {
	const {contexts} = now;
	const key = [...query.trim()].length === 1 ? query.trim() : undefined;
	const words = query.toLowerCase().split(' ').filter(Boolean);
	const groups = new Map<string, {isHere: boolean; rank: number; entries: HelpEntry[]}>();
	for (const binding of keys.bindings) {
		const isFound = key
			? binding.keys.includes(key)
			: words.every(word => searchable(binding).includes(word));
		if (!isFound) continue;
		const {title, isHere, rank} = groupOf(binding, contexts);
		const enabled = isHere ? isEnabled(binding, now) : isOffered(binding, now);
		const group = groups.get(title) ?? {isHere, rank, entries: []};
		group.entries.push({
			binding,
			keys: isHere
				? keys.keysOf(binding, isEverywhere(binding) ? ['everywhere'] : contexts)
				: keys.keysOf(binding, binding.contexts),
			isCustom: keys.isCustom(binding),
			reason: enabled === true ? undefined : enabled,
		});
		groups.set(title, group);
	}
	return [...groups]
		.sort(([, a], [, b]) => a.rank - b.rank)
		.map(([title, {isHere, entries}]) => ({title, isHere, entries: enabledFirst(entries)}));
}

function enabledFirst(entries: readonly HelpEntry[]): HelpEntry[] {
	return [
		...entries.filter(({reason}) => reason === undefined),
		...entries.filter(({reason}) => reason !== undefined),
	];
}

/** The name of a binding's group, independent of the focus. */
export function helpPlace(binding: Binding): string {
	return groupOf(binding, []).title;
}

/** Whether it works in so many contexts that it counts as global. */
export function isEveryView({contexts}: Binding): boolean {
	return contexts.filter(context => !keyContexts[context].isTransient).length >= manyPlaces;
}

/** Whether its key is taken before those of any other context. */
function isEverywhere({contexts}: Binding): boolean {
	return contexts.includes('everywhere');
}

/** The group of a binding and its rank; lower ranks come first. */
function groupOf(binding: Binding, contexts: readonly KeyContext[]) {
	const [first = 'everywhere'] = binding.contexts;
	const here = contexts.findIndex(context => binding.contexts.includes(context));
	const isHere = here >= 0 || isEverywhere(binding);
	if (isEveryView(binding)) return {title: everyView, isHere, rank: contexts.length};
	if (isEverywhere(binding)) return {title: keyContexts.everywhere.title, isHere, rank: contexts.length + 1};
	const title = keyContexts[contexts[here] ?? first].title;
	return {title, isHere, rank: here >= 0 ? here : contexts.length + 2};
}

function searchable(binding: Binding): string {
	const {keys, title, action, findBy = ''} = binding;
	return [...keys, ...keys.map(keyLabel), title, action, findBy, helpPlace(binding)].join(' ').toLowerCase();
}
