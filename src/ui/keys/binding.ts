import type {Lists} from '../../state/lists/lists.ts';
import type {View} from '../../state/view/view.ts';
import type {BoundAction} from '../bindings.ts';
import type {Layout} from '../layout.ts';
import type {AppParts} from '../use-app.ts';
import type {KeyContext} from './key-contexts.ts';

/** What keys act on: the screen as it is, or the frame being drawn. */
export type Now = {
	readonly parts: AppParts;
	readonly view: View;
	readonly lists: Lists;
	readonly contexts: readonly KeyContext[];
	readonly layout: Layout;
};

/** True, or a sentence with the reason why not and the remedy. */
export type Enabled = true | string;

/** A key binding: all there is to know of a key. Dispatch, footer, help and palette use the same list of them. */
export type BindingOf<Action extends string> = {
	/** Key names as produced by `keyPresses`; the first is displayed. Empty: available only from the palette. */
	readonly keys: readonly string[];
	readonly action: Action;
	/** Title. `{archive}` here or in a reason is replaced by the current key of that action. */
	readonly title: string;
	readonly contexts: readonly KeyContext[];
	/** The command that does the same in a shell, such as `sessions create`. */
	readonly command?: string;
	/** Words that the help and the palette find it by, besides those of its title. */
	readonly findBy?: string;
	/** Short label for the footer; if absent, the footer omits the binding. */
	readonly hint?: string;
	/** The label instead of `hint`, if the key does something else now; empty hides it. */
	readonly hintNow?: (now: Now) => string | undefined;
	/** Whether the footer lists it before the others now; `then`: after those that come first. */
	readonly isFirst?: (now: Now) => boolean | 'then';
	/** Asked before it runs, and where it is drawn. */
	readonly isEnabled?: (now: Now) => Enabled;
	/** Whether the service can do it at all: help and palette say why not, wherever they were opened. */
	readonly isOffered?: (now: Now) => Enabled;
	/** What it does; only called while it is enabled. Absent if the layer that has the key moves, types or answers. */
	readonly run?: (parts: AppParts, lists: Lists) => void;
	/** The key is part of the binding's meaning and can't be rebound. */
	readonly isFixed?: boolean;
	/** The key that leaves its context: can be rebound but not unbound. */
	readonly isWayOut?: boolean;
	/** Moves, types or answers: left out of the palette. */
	readonly isPaletteHidden?: boolean;
};

export type ActionName = BoundAction;
export type Binding = BindingOf<ActionName>;

export type Shared = Partial<BindingOf<string>>;
type Row<Action extends string> = Pick<BindingOf<Action>, 'action' | 'keys' | 'title'> &
	Partial<BindingOf<Action>>;

/** Bindings that share their contexts and other properties; a row may override them. */
export function bindingsIn<const Action extends string>(
	shared: Shared & Pick<BindingOf<string>, 'contexts'>,
	rows: readonly Row<Action>[],
): readonly BindingOf<Action>[] {
	return rows.map(row => ({...shared, ...row}));
}

/** Bindings that have nothing in common. */
export function bindingsOf<const Action extends string>(
	rows: readonly BindingOf<Action>[],
): readonly BindingOf<Action>[] {
	return rows;
}

export function isEnabled(binding: Binding, now: Now): Enabled {
	return binding.isEnabled?.(now) ?? true;
}

/** True without a service, too: another reason comes first then. */
export function isOffered(binding: Binding, now: Now): Enabled {
	return (now.parts.profile.isConnected && binding.isOffered?.(now)) || true;
}

/** For reasons that several bindings share: computed once for each `now`. */
export function oncePer<Value>(compute: (now: Now) => Value): (now: Now) => Value {
	const known = new WeakMap<Now, {readonly value: Value}>();
	return now => {
		const found = known.get(now) ?? {value: compute(now)};
		known.set(now, found);
		return found.value;
	};
}
