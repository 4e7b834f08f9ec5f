import {createContext, use} from 'react';
import {pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Layout, Rect} from '../layout.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {Rows} from './rows.tsx';

const Context = createContext<Pick<Layout, 'columns' | 'isScreenReader'> | undefined>(undefined);
/** Tells the panes of dialogs how wide the screen under them is. */
export const Backdrop = Context;

/** Blanks the cells left and right of a centered dialog, which would show parts of words. */
export function DialogSides({rect}: {readonly rect: Rect}) {
	const screen = use(Context);
	const theme = useTheme();
	if (!screen || screen.isScreenReader || rect.width === screen.columns) return undefined;
	if (rect.x !== Math.floor((screen.columns - rect.width) / 2)) return undefined;
	const row = paint([span(pad(safe``, screen.columns))], theme);
	return (
		<Rows rect={{...rect, x: 0, width: screen.columns}} rows={Array.from({length: rect.height}, () => row)} />
	);
}
