import type {KeyContext} from '../key-contexts.ts';
import type {Enabled, KeyState} from '../key-state.ts';

/** A key binding. Dispatch, footer, help, palette and the README's table all use the same list of them. */
export type BindingOf<Action extends string> = {
	/**
	 * Key names as produced by `keyPresses`; the first is displayed. Empty: available only from the palette.
	 */
	readonly keys: readonly string[];
	readonly action: Action;
	/** Title. `{archive}` here or in a reason is replaced by the current key of that action. */
	readonly title: string;
	readonly contexts: readonly KeyContext[];
	/** Words that the help and the palette find it by, besides those of its title. */
	readonly findBy?: string;
	/** Short label for the footer; if absent, the footer omits the binding. */
	readonly hint?: string;
	/** The label instead of `hint`, if the key does something else now; empty hides it. */
	readonly hintNow?: (state: KeyState) => string | undefined;
	/** Whether the footer lists it before the others now; `then`: after those that come first. */
	readonly isFirst?: (state: KeyState, contexts: readonly KeyContext[]) => boolean | 'then';
	readonly isEnabled?: (state: KeyState) => Enabled;
	/** Whether the service can do it at all: help and palette say why not, wherever they were opened. */
	readonly isOffered?: (state: KeyState) => Enabled;
	/** The key is part of the binding's meaning and can't be rebound. */
	readonly isFixed?: boolean;
	/** The key that leaves its context: can be rebound but not unbound. */
	readonly isWayOut?: boolean;
	/** Moves, types or answers: left out of the palette. */
	readonly isPaletteHidden?: boolean;
};

type Shared = Pick<BindingOf<string>, 'contexts'> & Partial<BindingOf<string>>;
type Row<Action extends string> = Pick<BindingOf<Action>, 'action' | 'keys' | 'title'> &
	Partial<BindingOf<Action>>;

/** Bindings that share their contexts and other properties; a row may override them. */
export function bindingsIn<const Action extends string>(
	shared: Shared,
	rows: readonly Row<Action>[],
): readonly BindingOf<Action>[] {
	return rows.map(row => ({...shared, ...row}));
}
