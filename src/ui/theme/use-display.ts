import {useStore} from 'zustand';
import type {Display} from '../../state/display.ts';
import {useApp} from '../use-app.ts';

/** The current display settings; the user can change them at runtime. */
export function useDisplay(): Display {
	return useStore(useApp().display);
}
