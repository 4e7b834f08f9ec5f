import type {View} from '../../src/state/view/view.ts';
import type {Now} from '../../src/ui/keys/binding.ts';
import type {AppParts} from '../../src/ui/use-app.ts';
import {listsNow} from '../../src/ui/use-lists.ts';

/** What keys act on now, with the focus in `contexts` instead if given, and in a view with `changes`. */
export function nowOf(parts: AppParts, contexts?: Now['contexts'], changes: Partial<View> = {}): Now {
	parts.view.setState(changes);
	const now = parts.input.now(parts, parts.view.getState(), listsNow(parts));
	return {...now, contexts: contexts ?? now.contexts};
}
