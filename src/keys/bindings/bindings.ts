import type {Enabled, KeyState} from '../key-state.ts';
import {attentionBindings} from './attention-bindings.ts';
import type {BindingOf} from './binding.ts';
import {composerBindings} from './composer-bindings.ts';
import {computerBindings} from './computer-bindings.ts';
import {dialogBindings} from './dialog-bindings.ts';
import {eventBindings} from './event-bindings.ts';
import {listBindings} from './list-bindings.ts';
import {organizationBindings} from './organization-bindings.ts';
import {sessionBindings} from './session-bindings.ts';
import {sessionTableBindings} from './session-table-bindings.ts';
import {splitBindings} from './split-bindings.ts';
import {streamBindings} from './stream-bindings.ts';
import {viewBindings} from './view-bindings.ts';

export type Binding = BindingOf<ActionName>;

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
	...viewBindings,
	{
		keys: ['ctrl+c'],
		action: 'interrupt',
		title: 'Quit from anywhere (twice)',
		contexts: ['everywhere'],
		isFixed: true,
		isPaletteHidden: true,
	},
] as const satisfies readonly BindingOf<string>[];

/** The default bindings; `KeyMap` holds the bindings in force. */
export const bindings: readonly Binding[] = table;

export function isEnabled(binding: Binding, state: KeyState): Enabled {
	return binding.isEnabled?.(state) ?? true;
}

/** True without a service, too: another reason comes first then. */
export function isOffered(binding: Binding, state: KeyState): Enabled {
	return (state.isConnected && binding.isOffered?.(state)) || true;
}
