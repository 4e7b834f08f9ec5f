import type {KeyPress} from './key-press.ts';

export type KeyAnswer = 'consumed' | 'ignored';

/** A layer that receives keys while on screen. A modal layer passes nothing to the layers below. */
export type KeyLayer = {
	readonly name: string;
	readonly isModal?: boolean;
	/** `isAlone` is false for a key read together with others. */
	handle(press: KeyPress, isAlone: boolean): KeyAnswer;
	/** Text from a terminal paste, in one piece. */
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
