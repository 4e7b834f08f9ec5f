import {allOf, backTo, canCreate, hasService, unlessEmpty} from '../enabled.ts';
import type {Enabled, KeyState} from '../key-state.ts';
import {bindingsIn} from './binding.ts';

const hasComputer = (state: KeyState): Enabled => state.computerId !== undefined || 'No computer is selected';

const newComputer = {
	action: 'new-computer',
	keys: ['N'],
	title: 'New computer',
	isEnabled: canCreate,
} as const;

/** Keys for a computer. */
export const computerBindings = [
	{
		action: 'back',
		keys: ['escape'],
		title: 'Back to the lists, or to the view where it was opened',
		hintNow: (state: KeyState) => backTo(state, 'lists'),
		isFirst: (state: KeyState) => backTo(state, 'lists') !== undefined && 'then',
		contexts: ['computer'],
	},
	...bindingsIn({contexts: ['computers', 'computer']}, [
		{
			action: 'open-session',
			keys: ['s'],
			title: 'Empty session on this computer, at once and in the last folder',
			hint: 'empty session',
			isEnabled: allOf(canCreate, hasComputer),
		},
		{
			action: 'session-form',
			keys: ['S'],
			title: 'New session on this computer: choose folder, model, tags and tools',
			findBy: 'worktree agent mode',
			isEnabled: allOf(canCreate, hasComputer),
		},
		{...newComputer, hint: 'new computer'},
	]),
	{...newComputer, contexts: ['sessions', 'session-table', 'stream']},
	...bindingsIn({contexts: ['computers', 'computer']}, [
		{
			action: 'retry-install',
			keys: ['R'],
			title: 'Run the dependency install again',
			hint: 'retry install',
			// Only a failed install can be retried.
			isFirst: state => state.install === true,
			isEnabled: allOf(hasComputer, hasService, state => state.install),
		},
		{
			action: 'install-session',
			keys: ['i'],
			title: 'Open the install output',
			hint: 'install output',
			isEnabled: state =>
				state.installSessionId !== undefined || "This computer's install step has no session",
		},
		{
			action: 'edit-computer',
			keys: ['e'],
			title: 'Edit the computer: name, host, user',
			isEnabled: allOf(hasComputer, hasService),
		},
		{
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
		{action: 'copy-computer-id', keys: ['y'], title: "Copy the computer's id", isEnabled: hasComputer},
	]),
	...bindingsIn({contexts: ['computer-table']}, [
		{
			action: 'read-computer',
			keys: ['enter'],
			title: "View the computer's steps",
			hint: 'steps',
			isEnabled: hasComputer,
		},
		{
			action: 'order-computers',
			keys: ['o'],
			title: 'Sort computers by the next column',
			hint: 'order',
			...unlessEmpty,
		},
		{action: 'reverse-computers', keys: ['O'], title: 'Reverse the order of computers'},
		{action: 'filter-computers', keys: ['/'], title: 'Filter computers', hint: 'filter', ...unlessEmpty},
	]),
] as const;
