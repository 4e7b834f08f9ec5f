import {createContext, use} from 'react';
import type {DisplayStore} from '../state/view/display.ts';
import type {Ticker} from './kit/ticker.ts';
import type {Zones} from './mouse/zones.ts';

/** The parts of the app that `kit`, `theme` and `mouse` use. */
export type KitParts = {
	readonly display: DisplayStore;
	readonly ticker: Ticker;
	/** Pointer zones as last drawn; the panes write them. */
	readonly zones: Zones;
};

const Context = createContext<KitParts | undefined>(undefined);
export const KitProvider = Context;

export function useKit(): KitParts {
	const parts = use(Context);
	if (!parts) throw new Error('A component of the screen is drawn outside of it.');
	return parts;
}
