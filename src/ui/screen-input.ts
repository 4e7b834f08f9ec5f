import {useInput, usePaste} from 'ink';
import {useRef} from 'react';
import {notify} from '../actions/notify.ts';
import {keyLabel} from '../keys/key-label.ts';
import {isUnmarkedPaste, type KeyPress, keyPresses, singleKeys} from '../keys/key-press.ts';
import {targets} from '../state/view/targets.ts';
import {isWriting, takesText} from '../state/view/view.ts';
import {offerImages} from './composer/composer-attachments.ts';
import {edit} from './composer/composer-edit.ts';
import {composerAt} from './composer/composers.ts';
import {bufferInput, bufferKey} from './composer/type-ahead.ts';
import {dialogLayer} from './dialogs/dialogs.tsx';
import {filterLayer} from './filter/filter-layer.ts';
import {countInput, type Input, type KeyLayer, type KeyOutcome} from './input.ts';
import {interruptLayer} from './interrupt.ts';
import {type Binding, isEnabled, type Now} from './keys/binding.ts';
import {inViews, type KeyContext, placeOf} from './keys/key-contexts.ts';
import {isTiny} from './layout.ts';
import {screenLayout} from './layout-now.ts';
import {followStreams} from './open-streams.ts';
import {contextsOf, pageOf} from './pages.ts';
import {isTypedOn} from './send-next.ts';
import {findLayer} from './stream/finding.ts';
import {strings} from './strings.ts';
import {tinyLayer} from './tiny-screen.tsx';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** Reads of one paste follow each other within this time, ms. */
const pasteGap = 30;

/** The only code that listens for keys. */
export function useKeys(parts: AppParts): void {
	const pastedAt = useRef(Number.NEGATIVE_INFINITY);
	useInput((input, key) => {
		parts.away.active(true);
		parts.ticker.refresh();
		const now = parts.actions.clock.now();
		const isKey = key.ctrl || key.meta || key.escape || key.return;
		const isContinued = now - pastedAt.current < pasteGap;
		if (!isKey && takesText(parts.view.getState()) && isUnmarkedPaste(input, isContinued)) {
			pastedAt.current = now;
			parts.input.paste(parts, input);
			return;
		}
		const presses = keyPresses(input, key);
		for (const press of presses) parts.input.press(parts, press, presses.length === 1);
	});
	usePaste(text => {
		parts.away.active(true);
		parts.input.paste(parts, text);
	});
}

export const screenInput: Input = {
	press(parts, press, isAlone = true) {
		const replay = () => screenInput.press(parts, press, isAlone);
		if (bufferKey(parts, press, replay)) return;
		countInput(parts);
		const outcome = offer(keyLayers(parts), layer => layer.handle(press, isAlone));
		if (outcome === 'ignored' && isAlone) tellIgnoredInDialog(parts, press);
	},
	paste(parts, text) {
		const replay = () => screenInput.paste(parts, text);
		if (bufferInput(parts, replay, {type: 'paste', text})) return;
		countInput(parts);
		offer(keyLayers(parts), layer => layer.paste?.(text) ?? 'ignored');
	},
	handleKey(parts, press, contexts = focusedContexts(parts)) {
		const binding = parts.keys.find(contexts, press.name);
		if (!binding?.run) return 'ignored';
		runIfEnabled(parts, binding);
		return 'consumed';
	},
	perform(parts, action) {
		const isHere = isIn(focusedContexts(parts));
		const binding = parts.keys.bindings.find(one => one.action === action && isHere(one));
		if (binding) runIfEnabled(parts, binding);
	},
	run(parts, action) {
		const named = parts.keys.bindings.filter(one => one.action === action);
		const binding = named.find(isIn(focusedContexts(parts))) ?? named[0];
		binding?.run?.(parts, listsNow(parts));
	},
	now: (parts, view, lists, layout) => ({
		parts,
		view,
		lists,
		contexts: contextsOf(view, parts.profile.isConnected),
		// Few keys depend on it.
		get layout() {
			return layout ?? screenLayout(parts, view, lists);
		},
	}),
};

function focusedContexts({view, profile}: AppParts) {
	return contextsOf(view.getState(), profile.isConnected);
}

function isIn(contexts: readonly KeyContext[]) {
	return (binding: Binding) => binding.contexts.some(context => contexts.includes(context));
}

function nowOf(parts: AppParts): Now {
	return screenInput.now(parts, parts.view.getState(), listsNow(parts));
}

function runIfEnabled(parts: AppParts, binding: Binding): void {
	const enabledNow = () => isEnabled(binding, nowOf(parts));
	const enabled = enabledNow();
	const {dialogs, page} = parts.view.getState();
	const isHere = () => {
		const now = parts.view.getState();
		return now.dialogs === dialogs && now.page === page;
	};
	const isCurrent = () => isHere() && enabledNow() === enabled;
	if (enabled === true) binding.run?.(parts, listsNow(parts));
	else notify(parts.actions, 'info', enabled, {isCurrent, endsWithNext: true});
}

function filterChoices(parts: AppParts) {
	const view = parts.view.getState();
	return pageOf(view).filter?.choices(parts, view, listsNow(parts)) ?? [];
}

/** Offers a key or paste to the layers, top first, until one consumes it or is modal. */
function offer(layers: readonly KeyLayer[], ask: (layer: KeyLayer) => KeyOutcome): KeyOutcome {
	for (const layer of layers.toReversed()) {
		const outcome = ask(layer);
		if (outcome === 'consumed' || layer.isModal) return outcome;
	}
	return 'ignored';
}

/** The layers that receive keys now, topmost last. */
function keyLayers(parts: AppParts): readonly KeyLayer[] {
	const view = parts.view.getState();
	const layers: KeyLayer[] = [panesLayer(parts)];
	if (isWriting(view)) layers.push(composerLayer(parts));
	if (view.isFiltering) layers.push(filterLayer(parts, () => filterChoices(parts)));
	const isReading = contextsOf({...view, dialogs: []}, parts.profile.isConnected).includes('find');
	if (isReading && view.find) layers.push(findLayer(parts, view.find));
	const dialog = view.dialogs.at(-1);
	if (dialog) layers.push(dialogLayer(parts, dialog));
	if (isTiny(parts.screen.size)) layers.push(tinyLayer);
	layers.push(interruptLayer(parts));
	return layers;
}

/**
 * Typed input is text even if it looks like a key name: an input method or a fast typist may send "up" in one
 * chunk. Suggestions, if any, get keys first.
 */
function composerLayer(parts: AppParts): KeyLayer {
	const {sessionId = ''} = targets(parts.view.getState());
	return {
		isModal: true,
		handle(press) {
			if (press.text !== '') edit(parts, sessionId, {type: 'insert', text: press.text});
			else if (screenInput.handleKey(parts, press) === 'ignored')
				return screenInput.handleKey(parts, press, ['composer']);
			return 'consumed';
		},
		paste(text) {
			const start = composerAt(parts.composers, sessionId)?.editor.cursor ?? 0;
			edit(parts, sessionId, {type: 'paste', text});
			void offerImages(parts, sessionId, text, start);
			return 'consumed';
		},
	};
}

/** Says what a key would do elsewhere, or where the keys are listed. */
function tellIgnored({actions, keys}: AppParts, {name, text}: KeyPress): void {
	const elsewhere = keys.find(inViews, name);
	const [context] = elsewhere?.contexts ?? [];
	if (elsewhere && context)
		notify(
			actions,
			'info',
			`${keyLabel(name)} does nothing here; in ${placeOf(context)}: ${elsewhere.title}`,
		);
	else if (text !== '') notify(actions, 'info', strings.keyUnknown(keyLabel(name), keys.label('help')));
}

/** Says that a character does nothing in the dialog on top, whose keys are in the footer or in its help. */
function tellIgnoredInDialog(parts: AppParts, {name, text}: KeyPress): void {
	if (Array.from(text).length !== 1) return;
	const {dialogs} = parts.view.getState();
	const isHere = isIn(focusedContexts(parts));
	const hasHelp = parts.keys.bindings.some(one => one.action === 'help' && isHere(one));
	const words = hasHelp
		? strings.keyUnknown(keyLabel(name), parts.keys.label('help'))
		: `${keyLabel(name)} does nothing here`;
	const isCurrent = () => parts.view.getState().dialogs === dialogs;
	notify(parts.actions, 'info', words, {isCurrent, endsWithNext: true});
}

function panesLayer(parts: AppParts): KeyLayer {
	return {
		handle(press) {
			if (isTypedOn(parts, press)) {
				notify(parts.actions, 'info', 'Ignored what you typed right after sending: nothing takes text here');
				return 'consumed';
			}
			const singles = singleKeys(press);
			for (const [index, single] of singles.entries()) {
				// The key before it may have begun to open something.
				if (index > 0 && bufferKey(parts, single, () => screenInput.press(parts, single, false))) continue;
				// The frame after the previous key may not have been drawn yet.
				followStreams(parts);
				if (screenInput.handleKey(parts, single) === 'ignored') tellIgnored(parts, single);
				const rest = singles.slice(index + 1).map(({text}) => text);
				// Text typed right after a key that opens a text field belongs to that field.
				if (rest.length === 0 || !takesText(parts.view.getState())) continue;
				const text = rest.join('');
				const typed = {name: text === ' ' ? 'space' : text, text};
				return offer(keyLayers(parts), layer => layer.handle(typed, false));
			}
			return 'consumed';
		},
	};
}
