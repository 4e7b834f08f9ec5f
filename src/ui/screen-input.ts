import {interruptAgent} from '../actions/agent-requests.ts';
import {notify} from '../actions/notify.ts';
import {type ActionName, type Binding, isEnabled} from '../keys/bindings/bindings.ts';
import {type KeyPress, singleKeys} from '../keys/key-press.ts';
import {dispatchKey, dispatchPaste, type KeyLayer} from '../keys/layers.ts';
import {awaitsComputer} from '../state/connection.ts';
import {type Notice, withdrawOutdated} from '../state/notices.ts';
import {isTurnRunning, type SessionItem} from '../state/sessions/session-items.ts';
import {targets} from '../state/view/targets.ts';
import {isInLists, isWriting, takesText} from '../state/view/view.ts';
import {composerLayer} from './composer/composer-intents.ts';
import {bufferInput, bufferKey, startTypeAhead} from './composer/type-ahead.ts';
import {contextsOf, isComposerEmpty, keyState} from './contexts.ts';
import {dialogLayer} from './dialogs/dialogs.tsx';
import {filterLayer} from './filter/filter-layer.ts';
import type {Input} from './input.ts';
import {intents} from './intents.ts';
import {isTiny} from './layout.ts';
import type {Opened} from './open-session.ts';
import {followStreams} from './open-streams.ts';
import {findLayer} from './stream/finding.ts';
import {strings} from './strings.ts';
import {tinyLayer} from './tiny-screen.tsx';
import type {AppParts, Parts} from './use-app.ts';
import {listsNow} from './use-lists.ts';
import {countInput} from './user-input.ts';

/** What keys and clicks do on this screen. */
export const screenInput: Input = {
	press(parts, press, isAlone) {
		const replay = () => screenInput.press(parts, press, isAlone);
		if (bufferKey(parts, press, replay) || awaitComputer(parts, press, replay)) return;
		countInput(parts);
		dispatchKey(keyLayers(parts), press, isAlone);
	},
	paste(parts, text) {
		const replay = () => screenInput.paste(parts, text);
		if (bufferInput(parts, replay, {type: 'paste', text})) return;
		countInput(parts);
		dispatchPaste(keyLayers(parts), text);
	},
	handleKey(parts, press, contexts = focusedContexts(parts)) {
		const binding = parts.keys.find(contexts, press.name);
		if (!binding || !intents[binding.action]) return 'ignored';
		runIfEnabled(parts, binding);
		return 'consumed';
	},
	perform(parts, action) {
		const contexts = focusedContexts(parts);
		const binding = parts.keys.bindings.find(
			one => one.action === action && one.contexts.some(context => contexts.includes(context)),
		);
		if (binding) runIfEnabled(parts, binding);
	},
	run: (parts, action) => intents[action]?.(parts, listsNow(parts)),
	keysIn: (parts, view, lists, layout) => ({
		contexts: contextsOf(view, parts.profile.isConnected),
		state: keyState(parts, view, lists, layout),
	}),
};

function focusedContexts({view, profile}: Parts<'view' | 'profile'>) {
	return contextsOf(view.getState(), profile.isConnected);
}

function runIfEnabled(parts: AppParts, binding: Binding): void {
	const enabledNow = () => isEnabled(binding, keyState(parts, parts.view.getState(), listsNow(parts)));
	const enabled = enabledNow();
	const {dialogs, page} = parts.view.getState();
	const isHere = () => {
		const now = parts.view.getState();
		return now.dialogs === dialogs && now.page === page;
	};
	const isCurrent = () => isHere() && enabledNow() === enabled;
	if (enabled === true) screenInput.run(parts, binding.action);
	else notify(parts.actions, 'info', enabled, {isCurrent, endsWithNext: true});
}

/** Actions on the computer at the cursor. */
const onComputer: readonly ActionName[] = ['open', 'open-session', 'session-form'];

/**
 * Buffers a key for this machine's computer until the embedded service lists it: at a first start, the user can be
 * faster. Returns whether it did.
 */
function awaitComputer(parts: AppParts, press: KeyPress, replay: () => void): boolean {
	if (!awaitsComputer(parts) || takesText(parts.view.getState())) return false;
	const [{name} = {name: ''}, ...rest] = singleKeys(press);
	const binding = parts.keys.find(focusedContexts(parts), name) ?? parts.keys.find(['computers'], name);
	const {sessionId} = targets(parts.view.getState());
	if (!binding || !onComputer.includes(binding.action) || sessionId !== undefined) return false;
	const {fleet, connection} = parts.stores;
	const listed = Promise.withResolvers<Opened>();
	const check = () => {
		const {page, cursor} = parts.view.getState();
		const isAtComputer = page !== 'work' || cursor !== undefined || fleet.getState().computers.size === 0;
		if (isAtComputer && !awaitsComputer(parts)) listed.resolve({isOpen: true});
	};
	const stops = [fleet, connection, parts.view].map(store => store.subscribe(check));
	const stop = () => {
		for (const stopOne of stops) stopOne();
	};
	startTypeAhead(parts, listed.promise, {why: strings.settingUp, stop});
	return bufferInput(parts, replay, {type: 'insert', text: rest.map(({text}) => text).join('')});
}

/** The layers that receive keys now, topmost last. */
function keyLayers(parts: AppParts): readonly KeyLayer[] {
	const view = parts.view.getState();
	const layers: KeyLayer[] = [panesLayer(parts)];
	if (isWriting(view)) layers.push(composerLayer(parts));
	if (view.isFiltering) layers.push(filterLayer(parts));
	const isReading = contextsOf({...view, dialogs: []}, parts.profile.isConnected).includes('find');
	if (isReading && view.find) layers.push(findLayer(parts, view.find));
	const dialog = view.dialogs.at(-1);
	if (dialog) layers.push(dialogLayer(parts, dialog));
	if (isTiny(parts.screen.size)) layers.push(tinyLayer(parts));
	layers.push(interruptLayer(parts));
	return layers;
}

function panesLayer(parts: AppParts): KeyLayer {
	return {
		name: 'panes',
		handle(press) {
			const singles = singleKeys(press);
			for (const [index, single] of singles.entries()) {
				// The key before it may have begun to open something.
				if (index > 0 && bufferKey(parts, single, () => screenInput.press(parts, single, false))) continue;
				// The frame after the previous key may not have been drawn yet.
				followStreams(parts);
				screenInput.handleKey(parts, single);
				const rest = singles.slice(index + 1).map(({text}) => text);
				// Text typed right after a key that opens a text field belongs to that field.
				if (rest.length === 0 || !takesText(parts.view.getState())) continue;
				const text = rest.join('');
				return dispatchKey(keyLayers(parts), {name: text === ' ' ? 'space' : text, text}, false);
			}
			return 'consumed';
		},
	};
}

/** Two presses of Ctrl+C within this time quit, ms. */
const doublePressTime = 2500;

/** Pressed once, Ctrl+C interrupts the agent of a running stream; pressed twice in a row, it quits from anywhere. */
function interruptLayer(parts: AppParts): KeyLayer {
	const cancelQuitting = (): 'ignored' => {
		if (parts.interruptedAt > Number.NEGATIVE_INFINITY) {
			parts.interruptedAt = Number.NEGATIVE_INFINITY;
			withdrawOutdated(parts.stores.notices);
		}
		return 'ignored';
	};
	return {
		name: 'interrupt',
		handle(press) {
			if (parts.keys.find(['everywhere'], press.name)?.action !== 'interrupt') return cancelQuitting();
			const isSecond = parts.actions.clock.now() - parts.interruptedAt < doublePressTime;
			if (isSecond) screenInput.run(parts, 'quit');
			else interruptShown(parts);
			return 'consumed';
		},
		paste: cancelQuitting,
	};
}

/** Shows a notice and, while it lasts, that the same key now quits. */
function notifyWithQuitHint(
	parts: Parts<'actions' | 'interruptedAt' | 'keys'>,
	tone: Notice['tone'],
	words?: string,
): void {
	const {actions, keys} = parts;
	const again = strings.quit.again(keys.label('interrupt'));
	const at = actions.clock.now();
	parts.interruptedAt = at;
	notify(actions, tone, words === undefined ? again : `${words}; ${again}`, {
		until: at + doublePressTime,
		isCurrent: () => parts.interruptedAt === at,
	});
}

/** Why no key can interrupt a session's agent. */
function whyNeverInterrupted({profile}: Parts<'profile'>, {client}: SessionItem): string | undefined {
	if (client !== undefined) return strings.interrupt.outside;
	return profile.host === undefined ? undefined : strings.interrupt.cannot;
}

/** How to interrupt the agent of the session at the cursor of a list; undefined if it isn't at work. */
function howToInterrupt(parts: AppParts): string | undefined {
	const now = parts.view.getState();
	const isList = now.page === 'sessions' || (now.page === 'work' && isInLists(now));
	if (!isList || takesText(now)) return undefined;
	const item = listsNow(parts).all.sessionsById.get(targets(now).sessionId ?? '');
	return item && isTurnRunning(item) && whyNeverInterrupted(parts, item) === undefined
		? strings.interrupt.inLists(parts.keys.label('open'), parts.keys.label('interrupt'))
		: undefined;
}

/** Interrupts the agent at work in the focused stream, or says why not; either way, how to quit. */
function interruptShown(parts: AppParts): void {
	const {view, actions} = parts;
	const now = view.getState();
	const id = now.shown?.kind === 'session' ? now.shown.id : '';
	const item = listsNow(parts).all.sessionsById.get(id);
	const isInStream = now.page === 'work' && !isInLists(now);
	const isCovered = now.dialogs.length > 0 || isTiny(parts.screen.size);
	const isTyping = now.isFiltering || now.find?.isTyping;
	if (!isInStream || isCovered || isTyping || !item || !isTurnRunning(item)) {
		notifyWithQuitHint(parts, 'info', howToInterrupt(parts));
		return;
	}
	const hasText = now.focus === 'composer' && !isComposerEmpty(parts, id);
	const reason =
		whyNeverInterrupted(parts, item) ??
		(hasText
			? strings.interrupt.hasText(parts.keys.label('leave'), parts.keys.label('interrupt'))
			: undefined);
	notifyWithQuitHint(parts, 'info', reason ?? strings.interrupt.asked);
	if (reason !== undefined) return;
	const pressedAt = parts.interruptedAt;
	void interruptAgent(actions, id, (tone, words) =>
		parts.interruptedAt === pressedAt ? notifyWithQuitHint(parts, tone, words) : notify(actions, tone, words),
	);
}
