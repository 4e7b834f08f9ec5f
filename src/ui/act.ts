import {tell} from '../actions/tell.ts';
import {isEnabled} from '../keys/bindings.ts';
import type {KeyContext} from '../keys/facts.ts';
import type {KeyPress} from '../keys/key-press.ts';
import type {KeyAnswer} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {contextsOf, keyFacts} from './contexts.ts';
import {intents} from './intents.ts';
import type {AppParts} from './use-app.ts';

/** Does what the key is bound to where the focus is (or in `contexts`), or says why it does nothing now. */
export function act(
	parts: AppParts,
	lists: () => Lists,
	press: KeyPress,
	contexts: readonly KeyContext[] = contextsOf(parts.view.getState(), parts.isConnected),
): KeyAnswer {
	const view = parts.view.getState();
	const binding = parts.keys.find(contexts, press.name);
	const intent = binding && intents[binding.action];
	if (!binding || !intent) return 'ignored';
	const enabled = isEnabled(binding, keyFacts(parts, view, lists()));
	if (enabled === true) intent(parts, lists());
	else tell(parts.actions, 'info', enabled);
	return 'consumed';
}
