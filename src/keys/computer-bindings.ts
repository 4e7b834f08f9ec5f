import {firstReason, hasService} from './enabled.ts';
import type {Enabled, KeyFacts} from './facts.ts';

const hasComputer = (facts: KeyFacts): Enabled => facts.computerId !== undefined || 'No computer is selected';

/** A computer. */
export const computerBindings = [
	{
		keys: ['s'],
		action: 'open-session',
		title: 'New session on this computer',
		contexts: ['computers', 'computer'],
		hint: 'session',
		isEnabled: (facts: KeyFacts): Enabled => firstReason(hasService(facts), hasComputer(facts)),
	},
	{
		keys: ['n'],
		action: 'new-computer',
		title: 'New computer',
		contexts: ['computers', 'computer'],
		hint: 'new computer',
		isEnabled: hasService,
	},
	{
		keys: ['R'],
		action: 'retry-install',
		title: 'Run the dependency install again',
		contexts: ['computers', 'computer'],
		hint: 'retry install',
		isEnabled: (facts: KeyFacts): Enabled =>
			firstReason(hasComputer(facts), hasService(facts), facts.install),
	},
	{
		keys: ['i'],
		action: 'install-session',
		title: 'Open the output of the install step',
		contexts: ['computers', 'computer'],
		hint: 'install output',
		isEnabled: (facts: KeyFacts): Enabled =>
			facts.installSessionId !== undefined || 'This computer names no session for its install step',
	},
	{
		keys: ['e'],
		action: 'edit-computer',
		title: 'Change name, host or user of the computer',
		contexts: ['computers', 'computer'],
		isEnabled: (facts: KeyFacts): Enabled => firstReason(hasComputer(facts), hasService(facts)),
	},
] as const;
