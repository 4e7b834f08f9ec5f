import {z} from 'zod';
import type {KeyChoices} from '../domain/key-choices.ts';

const whole = z.record(z.string(), z.unknown());
const choice = z.union([z.string(), z.array(z.string()), z.null()]);

/**
 * Parses `keys` of the configuration file: `{"archive": "ctrl+x", "palette": [":", "f2"], "quit": null}`.
 * Reports and skips invalid entries: a mistake there must not keep the screen from opening.
 */
export function readKeyChoices(value: unknown): KeyChoices {
	const entries = whole.safeParse(value);
	if (!entries.success)
		return {
			byAction: new Map(),
			problems: ['keys must be an object of actions, such as {"archive": "ctrl+x"}'],
		};
	const byAction = new Map<string, readonly string[]>();
	const problems: string[] = [];
	for (const [action, given] of Object.entries(entries.data)) {
		const read = choice.safeParse(given);
		if (!read.success)
			problems.push(`${action}: use a string for one key, a list for several, or null for none`);
		else byAction.set(action, read.data === null ? [] : [read.data].flat());
	}
	return {byAction, problems};
}
