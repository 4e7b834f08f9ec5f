import type {KeyChoices} from '../../domain/accounts/key-choices.ts';
import {keyLabel} from '../../keys/key-label.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';
import type {ActionName, Binding} from './binding.ts';
import {conflictsOf, conflictText} from './conflicts.ts';
import {type KeyContext, keyContexts} from './key-contexts.ts';
import {rebind} from './rebind.ts';

/** The bindings in force: the defaults with the user's changes. */
export type KeyMap = {
	/** In table order. */
	readonly bindings: readonly Binding[];
	/** Problems with the user's keys, one sentence each. */
	readonly problems: readonly string[];
	/** The binding of a key in the focused contexts, enabled or not; of a letter of another alphabet, that at its place. */
	find(contexts: readonly KeyContext[], key: string): Binding | undefined;
	/** The keys that reach a binding in the focused contexts, excluding any taken by other bindings. */
	keysOf(binding: Binding, contexts: readonly KeyContext[]): readonly string[];
	isCustom(binding: Binding): boolean;
	/** The key to mention in text about an action; the palette's key if it has none. */
	label(action: ActionName): Safe;
	/** All its keys: `y or Enter`. */
	labels(action: ActionName): Safe;
};

/** Applies the user's keys to the table. Invalid `choices` never prevent startup; they are reported in `problems`. */
export function keyMapOf(table: readonly Binding[], choices: KeyChoices): KeyMap {
	const {bindings: rebound, chosen, problems} = rebind(table, choices);
	const knownLabels = new Map<ActionName, Safe>();
	const bindings = rebound.map(binding => filled(binding, label));
	// Overlays take precedence; within a level, ways out (which can't be overridden), then the user's choices.
	const rank = (binding: Binding) => {
		const level = binding.contexts.some(context => keyContexts[context].isOverlay) ? 0 : chosen.length + 2;
		const choice = chosen.indexOf(binding.action);
		if (binding.isWayOut) return level;
		return level + 1 + (choice < 0 ? chosen.length : choice);
	};
	const ranks = new Map(bindings.map(binding => [binding, rank(binding)]));
	const ordered = bindings.toSorted((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
	const byKey = new Map<string, Binding[]>();
	for (const binding of ordered)
		for (const key of binding.keys) byKey.set(key, [...(byKey.get(key) ?? []), binding]);
	const clashes = chosen.length === 0 ? [] : conflictsOf(bindings);

	/** A frame needs dozens. */
	function label(action: ActionName): Safe {
		const text = knownLabels.get(action) ?? findLabel(action);
		knownLabels.set(action, text);
		return text;
	}

	function findLabel(action: ActionName): Safe {
		const keysOf = (name: ActionName) =>
			rebound.find(binding => binding.action === name && binding.keys.length > 0)?.keys;
		const [key] = keysOf(action) ?? keysOf('palette') ?? [];
		return key === undefined ? safe`(no key)` : keyLabel(key);
	}

	function labels(action: ActionName): Safe {
		const keys = rebound.find(binding => binding.action === action)?.keys ?? [];
		if (keys.length === 0) return label(action);
		return joinSafe(keys.map(keyLabel), safe` or `);
	}

	function find(contexts: readonly KeyContext[], key: string): Binding | undefined {
		const isHere = (binding: Binding) => binding.contexts.some(context => contexts.includes(context));
		return byKey.get(key)?.find(isHere) ?? byKey.get(latinKey(key) ?? '')?.find(isHere);
	}

	return {
		bindings,
		problems: [...problems, ...clashes.map(clash => conflictText(clash, rank))],
		find,
		keysOf: (binding, contexts) => binding.keys.filter(key => find(contexts, key) === binding),
		isCustom: binding => chosen.includes(binding.action),
		label,
		labels,
	};
}

const placeholder = /\{([a-z-]+)\}/g;

/** Fills in the keys in a binding's texts: `{archive}` becomes the key of that action. */
function filled(binding: Binding, label: (action: ActionName) => Safe): Binding {
	const fill = (text: string) =>
		text.includes('{') ? text.replaceAll(placeholder, (_, action: ActionName) => label(action)) : text;
	const {isEnabled: check} = binding;
	return {
		...binding,
		get title() {
			return fill(binding.title);
		},
		isEnabled:
			check &&
			(now => {
				const enabled = check(now);
				return enabled === true || fill(enabled);
			}),
	};
}

/** Letters of other layouts, in the order of a US keyboard's keys: Russian, and what Ukrainian and Greek have there. */
const layouts: readonly (readonly [typed: string, latin: string])[] = [
	['йцукенгшщзхъфывапролджэячсмитьбю', "qwertyuiop[]asdfghjkl;'zxcvbnm,."],
	['ЙЦУКЕНГШЩЗХЪФЫВАПРОЛДЖЭЯЧСМИТЬБЮ', 'QWERTYUIOP{}ASDFGHJKL:"ZXCVBNM<>'],
	['ёЁіІїЇєЄґҐ', '`~sS]}\'"\\|'],
	['ςερτυθιοπασδφγηξκλζχψωβνμ', 'wertyuiopasdfghjklzxcvbnm'],
	['ΕΡΤΥΘΙΟΠΑΣΔΦΓΗΞΚΛΖΧΨΩΒΝΜ', 'ERTYUIOPASDFGHJKLZXCVBNM'],
];

const latin = new Map(
	layouts.flatMap(([typed, keys]) =>
		Array.from(typed, (letter, index) => [letter, keys.charAt(index)] as const),
	),
);

/** The key at the place of a Cyrillic or Greek letter, perhaps with modifiers: `ж` is `;`, `ctrl+с` is `ctrl+c`. */
function latinKey(key: string): string | undefined {
	const letter = latin.get(key.slice(-1));
	return letter === undefined ? undefined : key.slice(0, -1) + letter;
}
