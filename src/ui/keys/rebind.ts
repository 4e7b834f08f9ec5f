import type {KeyChoices} from '../../domain/accounts/key-choices.ts';
import {nearest} from '../../domain/nearest.ts';
import {parseKey, typesText} from '../../keys/key-name.ts';
import type {Binding} from './binding.ts';
import {keyContexts} from './key-contexts.ts';

/** Reserved keys that quit or suspend the program everywhere. */
const reserved: Readonly<Record<string, string>> = {
	'ctrl+c': 'it always quits',
	'ctrl+z': 'it suspends the program',
};

/** The rebound table, the actions with user-defined keys in order, and the problems found. */
export type Rebound = {
	readonly bindings: readonly Binding[];
	readonly chosen: readonly string[];
	readonly problems: readonly string[];
};

/**
 * Applies the user's keys to the table. Each invalid choice is reported in one sentence and leaves its action
 * unchanged.
 */
export function rebind(table: readonly Binding[], {byAction, problems: before}: KeyChoices): Rebound {
	const problems = [...before];
	const chosen = new Map<string, readonly string[]>();
	for (const [action, written] of byAction) {
		const rows = table.filter(binding => binding.action === action);
		const keys = readKeys(action, written, problems);
		const why = refusal(action, rows, keys, written.length === 0, table);
		if (why !== undefined) problems.push(why);
		else if (keys.length > 0 || written.length === 0) chosen.set(action, keys);
	}
	const bindings = table.flatMap(binding => {
		const keys = chosen.get(binding.action);
		return keys === undefined ? [binding] : withKeys(binding, keys);
	});
	return {bindings, chosen: [...chosen.keys()], problems};
}

function readKeys(action: string, written: readonly string[], problems: string[]): string[] {
	return written.flatMap(text => {
		const parsed = parseKey(text);
		const why = 'problem' in parsed ? parsed.problem : reserved[parsed.key];
		if (why === undefined && 'key' in parsed) return [parsed.key];
		problems.push(`${action}: ${'problem' in parsed ? why : `${parsed.key} is reserved: ${why}`}`);
		return [];
	});
}

function refusal(
	action: string,
	rows: readonly Binding[],
	keys: readonly string[],
	isNone: boolean,
	table: readonly Binding[],
): string | undefined {
	if (rows.length === 0) {
		const suggestion = nearest(action, new Set(table.map(binding => binding.action)));
		return `there is no action ${action}${suggestion === undefined ? '' : `; did you mean ${suggestion}?`}`;
	}
	if (rows.some(row => row.isFixed)) return `${action}: its key can't be changed`;
	if (isNone && rows.some(row => row.isWayOut)) return `${action}: it needs a key, as the only way out`;
	const typed = keys.filter(typesText);
	const isText = rows.every(row => row.contexts.every(context => keyContexts[context].takesText));
	if (isText && typed.length > 0) return `${action}: ${typed.join(', ')} would type text there`;
	return undefined;
}

/**
 * Applies keys to a binding. In text contexts, where characters insert text, it gets only the other chosen
 * keys, or keeps its defaults.
 */
function withKeys(binding: Binding, keys: readonly string[]): Binding[] {
	const texts = binding.contexts.filter(context => keyContexts[context].takesText);
	if (texts.length === 0 || !keys.some(typesText)) return [{...binding, keys}];
	const others = binding.contexts.filter(context => !keyContexts[context].takesText);
	const untyped = keys.filter(key => !typesText(key));
	return [
		...(others.length > 0 ? [{...binding, keys, contexts: others}] : []),
		{...binding, keys: untyped.length > 0 ? untyped : binding.keys, contexts: texts},
	];
}
