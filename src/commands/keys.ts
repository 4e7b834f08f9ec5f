import {readSettings} from '../config/settings.ts';
import {keyLabel} from '../keys/key-label.ts';
import {cleanLine} from '../text/cells/clean.ts';
import {createKeyMap} from '../ui/bindings.ts';
import type {Binding} from '../ui/keys/binding.ts';
import {helpPlace, isEveryView} from '../ui/keys/help.ts';
import {keyContexts} from '../ui/keys/key-contexts.ts';
import type {KeyMap} from '../ui/keys/key-map.ts';
import type {CommandContext} from './cli/context.ts';
import {type ExitCode, exitCodes} from './cli/errors.ts';
import {limitOf, printList, type RowFormat} from './output/print-rows.ts';
import {strings} from './strings.ts';

/** Prints all active key bindings, including the user's own. Problems with those go to stderr. */
export async function keys(context: CommandContext): Promise<ExitCode> {
	const limit = limitOf(context);
	const {keys: choices, configFile} = await readSettings(context.input);
	const map = createKeyMap(choices);
	for (const problem of map.problems) context.output.note(strings.keys.problem(configFile, problem));
	await printList(
		context,
		bindingFormat(map),
		map.bindings.toSorted((a, b) => rank(a) - rank(b)).slice(0, limit),
	);
	return exitCodes.done;
}

const bindingFormat = (map: KeyMap): RowFormat<Binding> => ({
	objectOf: binding => bindingJson(map, binding),
	columns: [
		{
			name: 'keys',
			show: binding => cleanLine(map.keysOf(binding, binding.contexts).map(keyLabel).join(' ') || '-'),
		},
		{
			name: 'action',
			show: binding => cleanLine(map.isCustom(binding) ? `${binding.action} *` : binding.action),
		},
		{name: 'where', show: binding => cleanLine(placeOf(binding))},
		{name: 'description', show: ({title}) => cleanLine(title)},
		{name: 'command', show: ({command}) => cleanLine(command ?? '-')},
	],
});

function placeOf(binding: Binding): string {
	if (isEveryView(binding)) return helpPlace(binding);
	return binding.contexts.map(context => keyContexts[context].title).join(', ');
}

/** Sort rank: global keys first, then those of views, then those of transient contexts. */
function rank(binding: Binding): number {
	if (isEveryView(binding)) return 0;
	return binding.contexts.every(context => keyContexts[context].isTransient) ? 2 : 1;
}

/** `keys` are names as the configuration file spells them; `isChosen` means that the user set them. */
function bindingJson(map: KeyMap, binding: Binding) {
	const {action, title, contexts, command, isFixed = false} = binding;
	return {
		action,
		keys: map.keysOf(binding, contexts),
		title,
		contexts,
		command,
		isChosen: map.isCustom(binding),
		isFixed,
	};
}
