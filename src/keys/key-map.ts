import {type KeyChoices, noKeyChoices} from '../domain/key-choices.ts';
import type {Safe} from '../text/safe.ts';
import {safe} from '../text/safe.ts';
import {type ActionName, type Binding, bindings as table} from './bindings.ts';
import {conflictsOf, conflictText} from './conflicts.ts';
import {keyContexts} from './key-contexts.ts';
import {keyLabel} from './key-label.ts';
import type {KeyContext} from './key-state.ts';
import {rebind} from './rebind.ts';

/** The keys in force: the table, with the user's own in it. */
export type KeyMap = {
	/** In the table's order. */
	readonly bindings: readonly Binding[];
	/** What is wrong with the user's keys, a sentence each. */
	readonly problems: readonly string[];
	/** The binding of a key where the focus is, enabled or not. */
	find(contexts: readonly KeyContext[], key: string): Binding | undefined;
	/** The keys by which a binding is reached where the focus is: those that no other one has taken. */
	keysOf(binding: Binding, contexts: readonly KeyContext[]): readonly string[];
	/** Did the user choose its keys? */
	isChosen(binding: Binding): boolean;
	/** The key to name in a sentence about an action; the palette's when it has none. */
	label(action: ActionName): Safe;
};

/** Makes the keys in force. Nothing in `choices` can keep the program from starting: what can't be done is told. */
export function createKeyMap(choices: KeyChoices = noKeyChoices): KeyMap {
	const {bindings: rebound, chosen, problems} = rebind(table, choices);
	const bindings = rebound.map(binding => filled(binding, label));
	// What lies over a place goes first; there the ways out, which nothing may take, then what was chosen.
	const rank = (binding: Binding) => {
		const place = binding.contexts.some(context => keyContexts[context].isOverlay) ? 0 : chosen.length + 2;
		const choice = chosen.indexOf(binding.action);
		if (binding.isWayOut) return place;
		return place + 1 + (choice < 0 ? chosen.length : choice);
	};
	const ordered = bindings.toSorted((a, b) => rank(a) - rank(b));
	const byKey = new Map<string, Binding[]>();
	for (const binding of ordered)
		for (const key of binding.keys) byKey.set(key, [...(byKey.get(key) ?? []), binding]);
	const clashes = chosen.length === 0 ? [] : conflictsOf(bindings);

	function label(action: ActionName): Safe {
		const keyed = rebound.find(binding => binding.action === action && binding.keys.length > 0);
		const palette = rebound.find(binding => binding.action === 'palette' && binding.keys.length > 0);
		const [key] = (keyed ?? palette)?.keys ?? [];
		return key === undefined ? safe`(no key)` : keyLabel(key);
	}

	function find(contexts: readonly KeyContext[], key: string): Binding | undefined {
		return byKey.get(key)?.find(binding => binding.contexts.some(context => contexts.includes(context)));
	}

	return {
		bindings,
		problems: [...problems, ...clashes.map(clash => conflictText(clash, rank))],
		find,
		keysOf: (binding, contexts) => binding.keys.filter(key => find(contexts, key) === binding),
		isChosen: binding => chosen.includes(binding.action),
		label,
	};
}

const named = /\{([a-z-]+)\}/g;

/** A binding whose texts name the keys in force: `{archive}` stands for the key of that action. */
function filled(binding: Binding, label: (action: ActionName) => Safe): Binding {
	const fill = (text: string) => text.replaceAll(named, (_, action: ActionName) => label(action));
	const {isEnabled: check} = binding;
	return {
		...binding,
		title: fill(binding.title),
		...(check && {
			isEnabled(facts) {
				const enabled = check(facts);
				return enabled === true || fill(enabled);
			},
		}),
	};
}

/** What to tell at the start of the screen: what is wrong with the user's keys, the first of it whole. */
export function keyProblemsText({problems}: KeyMap): string | undefined {
	const [first, ...others] = problems;
	if (first === undefined) return undefined;
	const more = others.length === 0 ? '' : ` (and ${others.length} more: see quarterdeck doctor)`;
	return `keys in the configuration: ${first}${more}`;
}
