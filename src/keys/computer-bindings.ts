import {firstReason, hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasComputer = (facts: KeyState): Enabled => facts.computerId !== undefined || 'No computer is selected';

/** Keys for a computer. */
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
		title: 'Open the install output',
		contexts: ['computers', 'computer'],
		hint: 'install output',
		isEnabled: (facts: KeyState): Enabled =>
			facts.installSessionId !== undefined || "This computer's install step has no session",
	},
	{
		keys: ['e'],
		action: 'edit-computer',
		title: 'Edit the computer: name, host, user',
		contexts: ['computers', 'computer'],
		isEnabled: (facts: KeyState): Enabled => firstReason(hasComputer(facts), hasService(facts)),
	},
	{
		keys: ['l'],
		action: 'list-sessions',
		title: 'Sessions on this computer',
		contexts: ['computers', 'computer'],
		hint: 'its sessions',
		isEnabled: (facts: KeyState): Enabled =>
			firstReason(
				hasComputer(facts),
				(facts.sessionCount ?? 0) > 0 || 'No known session on this computer: {open-session} creates one',
			),
	},
	{
		keys: ['y'],
		action: 'copy-computer-id',
		title: "Copy the computer's id",
		contexts: ['computers', 'computer'],
		isEnabled: hasComputer,
	},
	{
		keys: ['enter'],
		action: 'read-computer',
		title: "View the computer's steps",
		contexts: ['computer-table'],
		hint: 'steps',
		isEnabled: hasComputer,
	},
	{
		keys: ['o'],
		action: 'order-computers',
		title: 'Sort computers by the next column',
		contexts: ['computer-table'],
		hint: 'order',
	},
	{
		keys: ['O'],
		action: 'reverse-computers',
		title: 'Reverse the order of computers',
		contexts: ['computer-table'],
	},
	{
		keys: ['/'],
		action: 'filter-computers',
		title: 'Filter computers',
		contexts: ['computer-table'],
		hint: 'filter',
	},
] as const;
