import type {Line} from '../../text/line.ts';
import type {Rect} from '../layout.ts';
import {useTheme} from '../use-theme.ts';
import {frameRows, type Row} from './frame.ts';
import {Rows} from './rows.tsx';

export type PaneProps = {
	readonly rect: Rect;
	readonly title: Line;
	readonly right?: Line;
	readonly bottom?: Line;
	readonly isFocused?: boolean;
	readonly body: readonly Row[];
};

/** A bordered part of the screen. */
export function Pane({rect, ...frame}: PaneProps) {
	const theme = useTheme();
	return <Rows rect={rect} rows={frameRows({...frame, width: rect.width, height: rect.height}, theme)} />;
}
