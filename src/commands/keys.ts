import {readSettings} from '../config/settings.ts';
import type {Binding} from '../keys/bindings.ts';
import {helpPlace, isEveryView} from '../keys/help.ts';
import {keyContexts} from '../keys/key-contexts.ts';
import {keyLabel} from '../keys/key-label.ts';
import {createKeyMap, type KeyMap} from '../keys/key-map.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {type Safe, safe} from '../text/cells/safe.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';

/** Prints all active key bindings, including the user's own. Problems with those go to stderr. */
export async function keys({input, output}: CommandContext): Promise<ExitCode> {
	const {keys: choices, configFile} = await readSettings(input);
	const map = createKeyMap(choices);
	const bindings = map.bindings.toSorted((a, b) => rank(a) - rank(b));
	for (const problem of map.problems) output.note(`${configFile}: keys: ${problem}`);
	if (output.isJson) for (const binding of bindings) output.json(bindingJson(map, binding));
	else
		output.table(
			columns,
			bindings.map(binding => row(map, binding)),
		);
	return exitCodes.done;
}

const columns = [
	{title: safe`KEYS`},
	{title: safe`ACTION`},
	{title: safe`WHERE`},
	{title: safe`DESCRIPTION`},
];

function row(map: KeyMap, binding: Binding): Safe[] {
	const shown = map.keysOf(binding, binding.contexts).map(keyLabel).join(' ');
	const titles = binding.contexts.map(context => keyContexts[context].title);
	const where = isEveryView(binding) ? helpPlace(binding) : titles.join(', ');
	return [
		cleanLine(shown === '' ? '-' : shown),
		cleanLine(map.isChosen(binding) ? `${binding.action} *` : binding.action),
		cleanLine(where),
		cleanLine(binding.title),
	];
}

/** Sort rank: global keys first, then those of views, then those of transient contexts. */
function rank(binding: Binding): number {
	if (isEveryView(binding)) return 0;
	return binding.contexts.every(context => keyContexts[context].isTransient) ? 2 : 1;
}

/** `keys` are names as the configuration file spells them; `isChosen` means that the user set them. */
function bindingJson(map: KeyMap, binding: Binding) {
	const {action, title, contexts, isFixed = false} = binding;
	return {
		action,
		keys: map.keysOf(binding, contexts),
		title,
		contexts,
		isChosen: map.isChosen(binding),
		isFixed,
	};
}
