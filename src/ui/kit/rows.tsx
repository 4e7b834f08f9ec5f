import {Box, Text} from 'ink';
import type {Rect} from '../layout.ts';

/**
 * Painted rows on a rectangle of the screen. One Text for the whole rectangle: a node more costs more than a row
 * (PERFORMANCE, What costs). Every row must fill exactly the rectangle's width, or less at its end.
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
