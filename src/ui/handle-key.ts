import {notify} from '../actions/notify.ts';
import {type ActionName, type Binding, isEnabled} from '../keys/bindings.ts';
import type {KeyPress} from '../keys/key-press.ts';
import type {KeyContext} from '../keys/key-state.ts';
import type {KeyAnswer} from '../keys/layers.ts';
import type {Lists} from '../state/lists.ts';
import {contextsOf, keyState} from './contexts.ts';
import {intents} from './intents.ts';
import type {AppParts} from './use-app.ts';

/** Performs the key's action in the focused context (or in `contexts`), or says why it can't now. */
export function handleKey(
	parts: AppParts,
	lists: () => Lists,
	press: KeyPress,
	contexts: readonly KeyContext[] = contextsOf(parts.view.getState(), parts.isConnected),
): KeyAnswer {
	const binding = parts.keys.find(contexts, press.name);
	return binding ? perform(parts, lists, binding) : 'ignored';
}

/**
 * Performs an action in the focused context, or says why it can't. Does nothing if the action isn't bound
 * there.
 */
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
