import {useStore} from 'zustand';
import type {Display} from '../../state/display.ts';
import {useApp} from '../use-app.ts';

/** How things are shown now: the user can change it while the program runs. */
export function useDisplay(): Display {
	return useStore(useApp().display);
}
