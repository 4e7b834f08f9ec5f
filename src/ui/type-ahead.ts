import {notify} from '../actions/notify.ts';
import type {KeyPress} from '../keys/key-press.ts';
import {strings} from './strings.ts';
import type {AppParts} from './use-app.ts';

/** Keys and pastes that wait, by app. */
const buffers = new WeakMap<AppParts, (() => void)[]>();

/**
 * Buffers what is typed until `ready` resolves, then replays it if that is true, or else drops it with a notice: it is
 * meant for what opens next, not for what is on the screen now. Until then the footer shows `why`; the key that goes
 * back drops what is buffered.
 */
export function startTypeAhead(parts: AppParts, ready: Promise<boolean>, why: string): void {
	const buffer: (() => void)[] = [];
	buffers.set(parts, buffer);
	const isCurrent = () => buffers.get(parts) === buffer;
	notify(parts.actions, 'info', why, {until: Number.POSITIVE_INFINITY, isCurrent});
	void ready.then(isReady => {
		if (!isCurrent()) return;
		buffers.delete(parts);
		if (isReady) for (const replay of buffer) replay();
		else if (buffer.length > 0) notify(parts.actions, 'info', strings.keysDropped);
	});
}

/** Buffers a key while others wait, except keys that work everywhere. Returns whether it did. */
export function bufferKey(parts: AppParts, press: KeyPress, replay: () => void): boolean {
	if (!buffers.has(parts) || parts.keys.find(['everywhere'], press.name)) return false;
	if (parts.keys.find(['lists'], press.name)?.action !== 'back') return bufferInput(parts, replay);
	buffers.delete(parts);
	notify(parts.actions, 'info', strings.keysDropped);
	return true;
}

/** Buffers any other input while keys wait, such as a paste. Returns whether it did. */
export function bufferInput(parts: AppParts, replay: () => void): boolean {
	return buffers.get(parts)?.push(replay) !== undefined;
}
