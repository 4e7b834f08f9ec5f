import {createContext, use} from 'react';
import {type Theme, themeOf} from './theme.ts';

export const ThemeContext = createContext<Theme>(
	themeOf({theme: 'none', colors: 'none', isDark: true, isAscii: false}),
);

export function useTheme(): Theme {
	return use(ThemeContext);
}
