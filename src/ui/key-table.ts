import {keyLabel} from '../keys/key-label.ts';
import {bindings} from './bindings.ts';
import type {Binding} from './keys/binding.ts';
import {helpPlace, isEveryView} from './keys/help.ts';
import {keyContexts} from './keys/key-contexts.ts';

/** The table of `quarterdeck help keys`, in Markdown: the keys with a footer hint, by context. */
export function keyTable(): string {
	const rows = new Map<string, string[]>();
	const [wide, narrow] = [bindings.filter(isEveryView), bindings.filter(one => !isEveryView(one))];
	for (const binding of [...wide, ...narrow]) {
		if (binding.contexts.every(context => keyContexts[context].isTransient)) continue;
		const words = wordsOf(binding);
		const [key] = binding.keys;
		if (words === undefined || key === undefined) continue;
		const where = helpPlace(binding);
		rows.set(where, [...(rows.get(where) ?? []), `\`${keyLabel(key)}\` ${words}`]);
	}
	const table = [...rows].map(([where, keys]) => `| ${where} | ${keys.join(' · ')} |`);
	return ['| Where | Keys |', '| --- | --- |', ...table, ''].join('\n');
}

/** The footer's label; for keys that open a view, the view's name. */
function wordsOf({hint, action, title}: Binding): string | undefined {
	if (hint !== undefined) return hint;
	return action.startsWith('view-') ? title.replace(/^View \d: /, '').toLowerCase() : undefined;
}
