import {createContext, use} from 'react';
import {useStore} from 'zustand';
import type {Display} from '../../state/view/display.ts';
import {useApp} from '../use-app.ts';
import {type Theme, themeOf} from './theme.ts';

export const ThemeContext = createContext<Theme>(
	themeOf({theme: 'none', colors: 'none', isDark: true, isAscii: false}),
);

export function useTheme(): Theme {
	return use(ThemeContext);
}

/** The current display settings; the user can change them at runtime. */
export function useDisplay(): Display {
	return useStore(useApp().display);
}
