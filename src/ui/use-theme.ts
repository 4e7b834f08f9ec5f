import {createContext, use} from 'react';
import {darkTheme, type Theme} from './theme.ts';

export const ThemeContext = createContext<Theme>(darkTheme('none'));

export function useTheme(): Theme {
	return use(ThemeContext);
}
