import {attentionBindings} from './attention-bindings.ts';
import {composerBindings} from './composer-bindings.ts';
import {computerBindings} from './computer-bindings.ts';
import {dialogBindings} from './dialog-bindings.ts';
import {eventBindings} from './event-bindings.ts';
import {exportBindings} from './export-bindings.ts';
import type {KeyContext} from './key-contexts.ts';
import type {Enabled, KeyState} from './key-state.ts';
import {listBindings} from './list-bindings.ts';
import {organizationBindings} from './organization-bindings.ts';
import {sessionBindings} from './session-bindings.ts';
import {sessionTableBindings} from './session-table-bindings.ts';
import {splitBindings} from './split-bindings.ts';
import {streamBindings} from './stream-bindings.ts';
import {viewBindings} from './view-bindings.ts';

/** A key binding. Dispatch, footer, help, palette and the README's table all use this list. */
export type Binding = {
	/**
	 * Key names as produced by `keyPresses`; the first is displayed. Empty: available only from the palette.
	 */
	readonly keys: readonly string[];
	readonly action: ActionName;
	/** Title. `{archive}` here or in a reason is replaced by the current key of that action. */
	readonly title: string;
	readonly contexts: readonly KeyContext[];
	/** Short label for the footer; if absent, the footer omits the binding. */
	readonly hint?: string;
	/** The label instead of `hint`, where the key does something else now. */
	readonly hintNow?: (state: KeyState) => string | undefined;
	readonly isEnabled?: (state: KeyState) => Enabled;
	/** The key is part of the binding's meaning and can't be rebound. */
	readonly isFixed?: boolean;
	/** The key that leaves its context: can be rebound but not unbound. */
	readonly isWayOut?: boolean;
	/** Moves, types or answers: left out of the palette. */
	readonly isMotion?: boolean;
};

export type ActionName = (typeof table)[number]['action'];

/** If two bindings are active at the same time, the first takes precedence. */
const table = [
	...streamBindings,
	...sessionTableBindings,
	...sessionBindings,
	...attentionBindings,
	...splitBindings,
	...computerBindings,
	...listBindings,
	...composerBindings,
	...dialogBindings,
	{
		keys: ['l'],
		action: 'work-locally',
		title: 'Work locally, without an account',
		contexts: ['welcome'],
		hint: 'work locally',
	},
	{
		keys: ['c'],
		action: 'connect',
		title: 'Connect to a hosted service',
		contexts: ['welcome'],
		hint: 'connect',
	},
	...eventBindings,
	...organizationBindings,
	...exportBindings,
	...viewBindings,
	{
		keys: ['ctrl+c'],
		action: 'interrupt',
		title: 'Quit from anywhere (twice)',
		contexts: ['everywhere'],
		isFixed: true,
		isMotion: true,
	},
] as const satisfies readonly (Omit<Binding, 'action'> & {action: string})[];

/** The default bindings; `KeyMap` holds the bindings in force. */
export const bindings: readonly Binding[] = table;

export function isEnabled(binding: Binding, state: KeyState): Enabled {
	return binding.isEnabled?.(state) ?? true;
}
