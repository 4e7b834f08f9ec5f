import type {KeyPress} from '../keys/key-press.ts';
import type {Lists} from '../state/lists/lists.ts';
import type {View} from '../state/view/view.ts';
import type {ActionName, Now} from './keys/binding.ts';
import type {KeyContext} from './keys/key-contexts.ts';
import type {Layout} from './layout.ts';
import type {AppParts} from './use-app.ts';

export type KeyOutcome = 'consumed' | 'ignored';

/** A layer that receives keys while on screen. A modal layer passes nothing to the layers below. */
export type KeyLayer = {
	readonly isModal?: boolean;
	/** `isAlone` is false for a key read together with others. */
	handle(press: KeyPress, isAlone: boolean): KeyOutcome;
	/** Text from a terminal paste, in one piece. */
	paste?(text: string): KeyOutcome;
};

/**
 * What keys and clicks do, for panes and dialogs that mustn't know each other. `src/ui/screen-input.ts` implements
 * it.
 */
export type Input = {
	/** Offers a key to the layers on screen, top first. `isAlone` is false for one read together with others. */
	press(parts: AppParts, press: KeyPress, isAlone?: boolean): void;
	paste(parts: AppParts, text: string): void;
	/** Performs a key's action in `contexts`, by default the focused ones, or says why it is disabled. */
	handleKey(parts: AppParts, press: KeyPress, contexts?: readonly KeyContext[]): KeyOutcome;
	/** Performs an action in the focused contexts, or says why it can't. Does nothing if it isn't bound there. */
	perform(parts: AppParts, action: ActionName): void;
	/** Performs an action that is known to be possible, as it is bound in the focused contexts if it is. */
	run(parts: AppParts, action: ActionName): void;
	/** What keys act on in a view. `layout` is the frame being drawn; by default, that of the last frame. */
	now(parts: AppParts, view: View, lists: Lists, layout?: Layout): Now;
};

/** How many keys, pastes and clicks acted on the screen, by app. */
const counts = new WeakMap<AppParts, number>();

export function countInput(parts: AppParts): void {
	counts.set(parts, (counts.get(parts) ?? 0) + 1);
}

/**
 * Call when a request starts; the function returned says whether the user has done anything else since, or has a dialog
 * before them. If so, the response must neither take the focus nor open a dialog, since the next key isn't meant for it:
 * a notice says that it is there.
 */
export function watchInput(parts: AppParts): () => boolean {
	const before = counts.get(parts);
	return () => counts.get(parts) !== before || parts.view.getState().dialogs.length > 0;
}
