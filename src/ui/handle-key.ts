import {notify} from '../actions/notify.ts';
import {type ActionName, type Binding, isEnabled} from '../keys/bindings.ts';
import type {KeyPress} from '../keys/key-press.ts';
import type {KeyContext} from '../keys/key-state.ts';
import type {KeyAnswer} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {contextsOf, keyState} from './contexts.ts';
import {intents} from './intents.ts';
import type {AppParts} from './use-app.ts';

/** Does what the key is bound to where the focus is (or in `contexts`), or says why it does nothing now. */
export function handleKey(
	parts: AppParts,
	lists: () => Lists,
	press: KeyPress,
	contexts: readonly KeyContext[] = contextsOf(parts.view.getState(), parts.isConnected),
): KeyAnswer {
	const binding = parts.keys.find(contexts, press.name);
	return binding ? perform(parts, lists, binding) : 'ignored';
}

/** Does an action where the focus is, or says why not. Where it is no action nothing happens. */
export function performAction(parts: AppParts, lists: () => Lists, action: ActionName): void {
	const contexts = contextsOf(parts.view.getState(), parts.isConnected);
	const binding = parts.keys.bindings.find(
		one => one.action === action && one.contexts.some(context => contexts.includes(context)),
	);
	if (binding) perform(parts, lists, binding);
}

function perform(parts: AppParts, lists: () => Lists, binding: Binding): KeyAnswer {
	const intent = intents[binding.action];
	if (!intent) return 'ignored';
	const enabled = isEnabled(binding, keyState(parts, parts.view.getState(), lists()));
	if (enabled === true) intent(parts, lists());
	else notify(parts.actions, 'info', enabled);
	return 'consumed';
}
