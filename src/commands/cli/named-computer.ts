import {computerName} from '../../state/sessions/session-items.ts';
import type {Registry} from '../../sync/fleet/registry.ts';
import type {CommandContext} from './context.ts';
import {UsageError} from './errors.ts';
import {cliStrings} from './strings.ts';

/**
 * The id of the computer that the user names by id, by name or as lists show it; a word that is none of these here may be
 * an id at the service. Throws `UsageError` if several computers have the name.
 */
export function namedComputer(registry: Registry, word: string): string {
	const {computers} = registry.current();
	if (computers.has(word)) return word;
	const ids = [...computers.values()].flatMap(({id, computer}) =>
		[computer?.name, computerName(computers, id)].includes(word) ? [id] : [],
	);
	if (ids.length > 1) throw new UsageError(cliStrings.registry.sameName(word, ids));
	return ids[0] ?? word;
}

export function flaggedComputer({flags}: CommandContext, registry: Registry): string | undefined {
	const word = flags.text('computer-id');
	return word === undefined ? undefined : namedComputer(registry, word);
}
