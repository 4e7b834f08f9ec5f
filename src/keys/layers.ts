import type {KeyPress} from './key-press.ts';

export type KeyAnswer = 'consumed' | 'ignored';

/** Something that takes keys while it is on screen. A modal layer lets nothing through to those under it. */
export type KeyLayer = {
	readonly name: string;
	readonly isModal?: boolean;
	/** `isAlone` is false for a key that came together with others in one read. */
	handle(press: KeyPress, isAlone: boolean): KeyAnswer;
	/** Text pasted by the terminal in one piece. */
	paste?(text: string): KeyAnswer;
};

/** Offers a key to the layers, top first, until one consumes it. */
export function dispatchKey(layers: readonly KeyLayer[], press: KeyPress, isAlone = true): KeyAnswer {
	return offer(layers, layer => layer.handle(press, isAlone));
}

export function dispatchPaste(layers: readonly KeyLayer[], text: string): KeyAnswer {
	return offer(layers, layer => layer.paste?.(text) ?? 'ignored');
}

function offer(layers: readonly KeyLayer[], ask: (layer: KeyLayer) => KeyAnswer): KeyAnswer {
	for (const layer of layers.toReversed()) {
		if (ask(layer) === 'consumed') return 'consumed';
		if (layer.isModal) return 'consumed';
	}
	return 'ignored';
}
