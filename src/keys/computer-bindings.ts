import {allOf, canCreate, hasService} from './enabled.ts';
import type {Enabled, KeyState} from './key-state.ts';

const hasComputer = (state: KeyState): Enabled => state.computerId !== undefined || 'No computer is selected';

const onComputer = {contexts: ['computers', 'computer']} as const;
const inTable = {contexts: ['computer-table']} as const;

/** Keys for a computer. */
export const computerBindings = [
	{
		...onComputer,
		action: 'open-session',
		keys: ['s'],
		title: 'New session on this computer, in the last folder',
		hint: 'session',
		isEnabled: allOf(canCreate, hasComputer),
	},
	{
		...onComputer,
		action: 'session-form',
		keys: ['S'],
		title: 'New session on this computer: choose folder, model, tags and tools',
		isEnabled: allOf(canCreate, hasComputer),
	},
	{
		action: 'new-computer',
		keys: ['N'],
		title: 'New computer',
		contexts: ['computers', 'computer', 'sessions', 'session-table'],
		hint: 'new computer',
		isEnabled: canCreate,
	},
	{
		...onComputer,
		action: 'retry-install',
		keys: ['R'],
		title: 'Run the dependency install again',
		hint: 'retry install',
		isEnabled: allOf(hasComputer, hasService, state => state.install),
	},
	{
		...onComputer,
		action: 'install-session',
		keys: ['i'],
		title: 'Open the install output',
		hint: 'install output',
		isEnabled: (state: KeyState): Enabled =>
			state.installSessionId !== undefined || "This computer's install step has no session",
	},
	{
		...onComputer,
		action: 'edit-computer',
		keys: ['e'],
		title: 'Edit the computer: name, host, user',
		isEnabled: allOf(hasComputer, hasService),
	},
	{
		...onComputer,
		action: 'list-sessions',
		keys: ['l'],
		title: 'Sessions on this computer',
		hint: 'its sessions',
		isEnabled: allOf(
			hasComputer,
			state =>
				(state.sessionCount ?? 0) > 0 || 'No known session on this computer: {open-session} creates one',
		),
	},
	{
		...onComputer,
		action: 'copy-computer-id',
		keys: ['y'],
		title: "Copy the computer's id",
		isEnabled: hasComputer,
	},
	{
		...inTable,
		action: 'read-computer',
		keys: ['enter'],
		title: "View the computer's steps",
		hint: 'steps',
		isEnabled: hasComputer,
	},
	{
		...inTable,
		action: 'order-computers',
		keys: ['o'],
		title: 'Sort computers by the next column',
		hint: 'order',
	},
	{...inTable, action: 'reverse-computers', keys: ['O'], title: 'Reverse the order of computers'},
	{...inTable, action: 'filter-computers', keys: ['/'], title: 'Filter computers', hint: 'filter'},
] as const;
