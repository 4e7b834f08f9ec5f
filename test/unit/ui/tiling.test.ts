import {expect, test} from 'vitest';
import {lineText} from '../../../src/text/cells/line.ts';
import {borderLine, type Tile} from '../../../src/ui/kit/tiling.ts';

const rect = (x: number, y: number, width: number, height: number) => ({x, y, width, height});
const picture = (tiles: readonly Tile[], width: number, height: number, isHeavy = false) =>
	Array.from({length: height}, (_, y) => lineText(borderLine(tiles, {x: 0, y, width}, isHeavy)));

test('panes share the borders between them', () => {
	const tiles = [
		{rect: rect(0, 0, 5, 3)},
		{rect: rect(0, 2, 5, 3)},
		{rect: rect(4, 0, 5, 5), isFocused: true},
	];
	expect(picture(tiles, 9, 5)).toEqual(['╭───┬───╮', '│   │   │', '├───┤   │', '│   │   │', '╰───┴───╯']);
	// Where a color isn't enough to show it, the focused pane has a heavy border all around.
	expect(picture(tiles, 9, 5, true)).toEqual([
		'╭───┳━━━┓',
		'│   ┃   ┃',
		'├───┫   ┃',
		'│   ┃   ┃',
		'╰───┻━━━┛',
	]);
});
