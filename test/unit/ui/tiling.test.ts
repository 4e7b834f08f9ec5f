import fc from 'fast-check';
import {expect, test} from 'vitest';
import {lineText} from '../../../src/text/cells/line.ts';
import {borderLine, type Tile} from '../../../src/ui/kit/tiling.ts';
import {layoutPanes} from '../../../src/ui/layout.ts';

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

/** The directions in which each glyph goes on. */
const goesOn: Readonly<Record<'right' | 'down', string>> = {right: '─╭╰├┬┴┼', down: '│╭╮├┤┬┼'};
const comesFrom: Readonly<Record<'right' | 'down', string>> = {right: '─╮╯┤┬┴┼', down: '│╰╯├┤┴┼'};

test('no border ends in the middle of the screen, whatever its panes', () => {
	fc.assert(
		fc.property(
			fc.integer({min: 40, max: 200}),
			fc.integer({min: 10, max: 60}),
			fc.nat(20),
			fc.integer({min: 1, max: 4}),
			(columns, rows, count, streams) => {
				const wanted = {needs: count, sessions: count, computers: 2, composer: 1, side: 'lists'} as const;
				const layout = layoutPanes(columns, rows, {...wanted, streams: {count: streams, focused: 0}});
				const {needs, sessions, computers, main, composer} = layout;
				const parts = [needs, sessions, computers, ...(layout.streams?.rects ?? [main]), composer];
				const lines = picture(
					parts.flatMap(part => (part ? [{rect: part}] : [])),
					columns,
					rows,
				);
				for (const [y, line] of lines.entries())
					for (const [x, glyph] of [...line].entries()) {
						const next = {right: line[x + 1] ?? ' ', down: lines[y + 1]?.[x] ?? ' '};
						for (const way of ['right', 'down'] as const)
							expect(goesOn[way].includes(glyph)).toBe(comesFrom[way].includes(next[way]));
					}
			},
		),
		{numRuns: 20},
	);
});
