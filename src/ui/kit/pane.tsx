import type {Rect} from '../layout.ts';
import {useTheme} from '../theme/use-theme.ts';
import {DialogSides} from './backdrop.tsx';
import {type Frame, frameRows} from './frame.ts';
import {Rows} from './rows.tsx';
import {useSeams} from './tiling.ts';
import {useScreenCursor} from './use-screen-cursor.ts';

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
