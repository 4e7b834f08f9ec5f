import {attentionBindings} from './attention-bindings.ts';
import {composerBindings} from './composer-bindings.ts';
import {computerBindings} from './computer-bindings.ts';
import {dialogBindings} from './dialog-bindings.ts';
import {eventBindings} from './event-bindings.ts';
import {exportBindings} from './export-bindings.ts';
import type {Enabled, KeyContext, KeyState} from './key-state.ts';
import {listBindings} from './list-bindings.ts';
import {organizationBindings} from './organization-bindings.ts';
import {sessionBindings} from './session-bindings.ts';
import {splitBindings} from './split-bindings.ts';
import {streamBindings} from './stream-bindings.ts';
import {viewBindings} from './view-bindings.ts';

/** A key, what it does and where. Dispatch, footer, help, palette and the README's table all read this one list. */
export type Binding = {
	/** Names as `keyPresses` makes them; the first is the one that is shown. None: only the palette does it. */
	readonly keys: readonly string[];
	readonly action: ActionName;
	/** Other actions are named by their keys: `{archive}` in it, and in a reason, is the one in force. */
	readonly title: string;
	readonly contexts: readonly KeyContext[];
	/** Short word for the footer; absent: the footer leaves it out. */
	readonly hint?: string;
	readonly isEnabled?: (facts: KeyState) => Enabled;
	/** The key itself is what it is about: it can't be given another one. */
	readonly isFixed?: boolean;
	/** The way out of its place: it can be given another key, but not none. */
	readonly isWayOut?: boolean;
	/** Nothing to choose from a list of names: moving, typing, answering. */
	readonly isMotion?: boolean;
};

export type ActionName = (typeof table)[number]['action'];

/** Of two that hold at once the first goes before. */
const table = [
	...streamBindings,
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
		title: 'Twice: quit from anywhere',
		contexts: ['everywhere'],
		isFixed: true,
		isMotion: true,
	},
] as const satisfies readonly (Omit<Binding, 'action'> & {action: string})[];

/** The table as it is before the user chose any key: what is in force is a `KeyMap`. */
export const bindings: readonly Binding[] = table;

export function isEnabled(binding: Binding, facts: KeyState): Enabled {
	return binding.isEnabled?.(facts) ?? true;
}
