import type {View, ViewStore} from '../state/view.ts';

/** Applies a transition of the view; what it leaves out is gone. */
export function setView(store: ViewStore, next: (view: View) => View): void {
	store.setState(next, true);
}
