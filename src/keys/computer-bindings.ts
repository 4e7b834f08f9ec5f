import {firstReason, hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasComputer = (facts: KeyState): Enabled => facts.computerId !== undefined || 'No computer is selected';

/** A computer. */
export const computerBindings = [
	{
		keys: ['s'],
		action: 'open-session',
		title: 'New session on this computer',
		contexts: ['computers', 'computer'],
		hint: 'session',
		isEnabled: (facts: KeyState): Enabled => firstReason(hasService(facts), hasComputer(facts)),
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
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(hasComputer(facts), hasService(facts), facts.install),
	},
	{
		keys: ['i'],
		action: 'install-session',
		title: 'Open the output of the install step',
		contexts: ['computers', 'computer'],
		hint: 'install output',
		isEnabled: (facts: KeyState): Enabled =>
			facts.installSessionId !== undefined || 'This computer names no session for its install step',
	},
	{
		keys: ['e'],
		action: 'edit-computer',
		title: 'Change name, host or user of the computer',
		contexts: ['computers', 'computer'],
		isEnabled: (facts: KeyState): Enabled => firstReason(hasComputer(facts), hasService(facts)),
	},
	{
		keys: ['l'],
		action: 'list-sessions',
		title: 'The sessions on this computer',
		contexts: ['computers', 'computer'],
		hint: 'its sessions',
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(
				hasComputer(facts),
				(facts.sessionCount ?? 0) > 0 || 'No session is known on this computer: {open-session} opens one',
			),
	},
	{
		keys: ['y'],
		action: 'copy-computer-id',
		title: 'Copy the id of the computer',
		contexts: ['computers', 'computer'],
		isEnabled: hasComputer,
	},
	{
		keys: ['enter'],
		action: 'read-computer',
		title: 'Read the steps of the computer',
		contexts: ['computer-table'],
		hint: 'steps',
		isEnabled: hasComputer,
	},
	{
		keys: ['o'],
		action: 'order-computers',
		title: 'Order the computers by the next column',
		contexts: ['computer-table'],
		hint: 'order',
	},
	{
		keys: ['O'],
		action: 'reverse-computers',
		title: 'Order the computers the other way round',
		contexts: ['computer-table'],
	},
	{
		keys: ['/'],
		action: 'filter-computers',
		title: 'Filter the computers, as the lists of the Work view',
		contexts: ['computer-table'],
		hint: 'filter',
	},
] as const;
