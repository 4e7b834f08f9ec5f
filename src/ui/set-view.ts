import type {View, ViewStore} from '../state/view.ts';

/** Applies a view transition, replacing the state: omitted fields are removed. */
export function setView(store: ViewStore, next: (view: View) => View): void {
	store.setState(next, true);
}
