import {notify} from '../actions/notify.ts';
import type {KeyPress} from '../keys/key-press.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** What waits, by app: presses and pastes. */
const held = new WeakMap<AppParts, (() => void)[]>();

/**
 * Holds what is typed until `ready` resolves, and then types it if that is true: it is for what comes, and no command of
 * what is on the screen now. Until then the footer says `why`; the key that goes back gives it up.
 */
export function holdKeys(parts: AppParts, ready: Promise<boolean>, why: string): void {
	const waiting: (() => void)[] = [];
	held.set(parts, waiting);
	const isHeld = () => held.get(parts) === waiting;
	notify(parts.actions, 'info', why, {until: Number.POSITIVE_INFINITY, holds: isHeld});
	void ready.then(isReady => {
		if (!isHeld()) return;
		held.delete(parts);
		if (isReady) for (const type of waiting) type();
	});
}

/** Holds a key if others are held, except those that work everywhere. Returns whether it did. */
export function holdKey(parts: AppParts, press: KeyPress, type: () => void): boolean {
	if (!held.has(parts) || parts.keys.find(['everywhere'], press.name)) return false;
	if (parts.keys.find(['lists'], press.name)?.action !== 'back') return holdTyped(parts, type);
	held.delete(parts);
	notify(parts.actions, 'info', strings.keysDropped);
	return true;
}

/** Holds anything else that is typed, such as a paste. */
export function holdTyped(parts: AppParts, type: () => void): boolean {
	return held.get(parts)?.push(type) !== undefined;
}
