import {Box, Text} from 'ink';
import type {Rect} from '../layout.ts';

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
