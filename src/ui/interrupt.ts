import {interruptAgent} from '../actions/agent-requests.ts';
import {notify} from '../actions/notify.ts';
import {type Notice, withdrawOutdated} from '../state/notices.ts';
import {isTurnRunning, type SessionItem} from '../state/sessions/session-items.ts';
import {isInLists, mainItem} from '../state/view/view.ts';
import {isComposerEmpty} from './composer/composers.ts';
import type {KeyLayer} from './input.ts';
import {bindingsOf} from './keys/binding.ts';
import {isTiny} from './layout.ts';
import type {AppParts} from './use-app.ts';
import {listsNow} from './use-lists.ts';

/** The key of `interruptLayer`, which has it before all others. */
export const interruptBindings = bindingsOf([
	{
		keys: ['ctrl+c'],
		action: 'interrupt',
		title: 'Quit from anywhere (twice)',
		contexts: ['everywhere'],
		isFixed: true,
		run: interruptShown,
		isPaletteHidden: true,
	},
]);

/** Two presses of Ctrl+C within this time quit, ms. */
const doublePressTime = 2500;

/** Pressed once, Ctrl+C interrupts the agent of a running stream; pressed twice in a row, it quits from anywhere. */
export function interruptLayer(parts: AppParts): KeyLayer {
	const cancelQuitting = (): 'ignored' => {
		if (parts.interruptedAt > Number.NEGATIVE_INFINITY) {
			parts.interruptedAt = Number.NEGATIVE_INFINITY;
			withdrawOutdated(parts.stores.notices);
		}
		return 'ignored';
	};
	return {
		handle(press) {
			const binding = parts.keys.find(['everywhere'], press.name);
			if (binding?.action !== 'interrupt') return cancelQuitting();
			const isSecond = parts.actions.clock.now() - parts.interruptedAt < doublePressTime;
			if (isSecond) parts.input.run(parts, 'quit');
			else binding.run?.(parts, listsNow(parts));
			return 'consumed';
		},
		paste: cancelQuitting,
	};
}

/** Shows a notice and, while it lasts, that the same key now quits. */
function notifyWithQuitHint(parts: AppParts, tone: Notice['tone'], words?: string): void {
	const {actions, keys} = parts;
	const again = `${keys.label('interrupt')} again quits`;
	const at = actions.clock.now();
	parts.interruptedAt = at;
	notify(actions, tone, words === undefined ? again : `${words}; ${again}`, {
		until: at + doublePressTime,
		isCurrent: () => parts.interruptedAt === at,
	});
}

/** Why no key can interrupt a session's agent. */
function whyNeverInterrupted({profile}: AppParts, {client}: SessionItem): string | undefined {
	if (client !== undefined) return 'Not interrupted: this session runs in another terminal';
	return profile.host === undefined ? undefined : "Not interrupted: this service can't do that";
}

/** Interrupts the agent at work in the focused stream, or says why not; either way, how to quit. */
function interruptShown(parts: AppParts): void {
	const {view, actions} = parts;
	const now = view.getState();
	const shown = isInLists(now) ? undefined : mainItem(now);
	const id = shown?.kind === 'session' ? shown.id : '';
	const item = listsNow(parts).all.sessionsById.get(id);
	const isCovered = now.dialogs.length > 0 || isTiny(parts.screen.size);
	const isTyping = now.isFiltering || now.find?.isTyping;
	if (isCovered || isTyping || !item || !isTurnRunning(item)) {
		notifyWithQuitHint(parts, 'info');
		return;
	}
	const hasText = now.focus === 'composer' && !isComposerEmpty(parts.composers, id);
	const reason =
		whyNeverInterrupted(parts, item) ??
		(hasText
			? `${parts.keys.label('leave')}, then ${parts.keys.label('interrupt')} interrupts: the composer has text`
			: undefined);
	notifyWithQuitHint(parts, 'info', reason ?? 'Interrupting the agent');
	if (reason !== undefined) return;
	const pressedAt = parts.interruptedAt;
	void interruptAgent(actions, id, (tone, words) =>
		parts.interruptedAt === pressedAt ? notifyWithQuitHint(parts, tone, words) : notify(actions, tone, words),
	);
}
