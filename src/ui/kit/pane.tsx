import {Box, Text} from 'ink';
import {createContext, use} from 'react';
import {pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import type {Layout, Rect} from '../layout.ts';
import {paint} from '../theme/theme.ts';
import {useTheme} from '../theme/use-theme.ts';
import {type Frame, frameRows} from './frame.ts';
import {useSeams} from './tiling.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

/**
 * Paints rows onto a rectangle of the screen, as one Text: an extra node costs Ink more than an extra row. No row may be
 * wider than the rectangle; a narrower one leaves blank cells.
 */
export function Rows({rect, rows}: {readonly rect: Rect; readonly rows: readonly string[]}) {
	return (
		<Box
			position="absolute"
			left={rect.x}
			top={rect.y}
			width={rect.width}
			height={rect.height}
			overflow="hidden"
		>
			<Text wrap="truncate">{rows.slice(0, rect.height).join('\n')}</Text>
		</Box>
	);
}

export function Pane({rect, ...frame}: Omit<Frame, 'width' | 'height'> & {readonly rect: Rect}) {
	const theme = useTheme();
	const seams = useSeams(rect);
	const rows = frameRows({...frame, width: rect.width, height: rect.height}, theme, seams);
	const drawn = seams?.isTopOpen ? {...rect, y: rect.y + 1} : rect;
	const selected = theme.isScreenReader && frame.isFocused ? frame.body.findIndex(row => row.isSelected) : -1;
	return (
		<>
			{!seams && <DialogSides rect={rect} />}
			<Rows rect={drawn} rows={rows} />
			{selected >= 0 && <SpokenCursor x={rect.x + 1} y={rect.y + 1 + selected} />}
		</>
	);
}

/** Places the terminal's cursor on a line so that a screen reader speaks it. */
function SpokenCursor(cell: {readonly x: number; readonly y: number}) {
	useScreenCursor(cell);
	return undefined;
}

/** Tells the panes of dialogs how wide the screen under them is. */
export const Backdrop = createContext<Pick<Layout, 'columns' | 'isScreenReader'> | undefined>(undefined);

/** Blanks the cells left and right of a centered dialog, which would show parts of words. */
function DialogSides({rect}: {readonly rect: Rect}) {
	const screen = use(Backdrop);
	const theme = useTheme();
	if (!screen || screen.isScreenReader || rect.width === screen.columns) return undefined;
	if (rect.x !== Math.floor((screen.columns - rect.width) / 2)) return undefined;
	const row = paint([span(pad(safe``, screen.columns))], theme);
	return (
		<Rows rect={{...rect, x: 0, width: screen.columns}} rows={Array.from({length: rect.height}, () => row)} />
	);
}
