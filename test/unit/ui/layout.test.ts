import fc from 'fast-check';
import {expect, test} from 'vitest';
import {gutterOf} from '../../../src/text/messages/message-rows.ts';
import {type Layout, layoutPanes, minimum, type Rect, streamMin} from '../../../src/ui/layout.ts';
import {expectTiled} from '../../support/tiled.ts';

const wishes = {needs: 2, sessions: 9, computers: 3, composer: 1, side: 'lists'} as const;

function paneRects({needs, sessions, computers, main, streams, composer}: Layout): Rect[] {
	const parts = streams ? streams.rects : [main];
	return [needs, sessions, computers, ...parts, composer].filter(rect => rect !== undefined);
}

test.each([
	[200, 50, 'wide', 60],
	[120, 40, 'wide', 36],
	[100, 24, 'wide', 30],
	[99, 24, 'stacked', 65],
	[60, 24, 'stacked', 36],
	[59, 24, 'single', 59],
	[80, 12, 'single', 80],
] as const)('%i x %i is %s with a list of %i columns', (columns, rows, mode, width) => {
	const layout = layoutPanes(columns, rows, wishes);
	expect([layout.mode, layout.sessions?.width]).toEqual([mode, width]);
});

test.each([
	[39, 24],
	[80, 9],
])('%i x %i has only room for a note', (columns, rows) => {
	expect(layoutPanes(columns, rows, wishes)).toEqual({mode: 'tiny', columns, rows});
});

test('shows one pane at a time under 60 columns', () => {
	expect(layoutPanes(50, 20, wishes).main).toBeUndefined();
	const main = layoutPanes(50, 20, {...wishes, side: 'main'});
	expect([main.sessions, main.main?.width, main.composer?.width]).toEqual([undefined, 50, 50]);
});

test('the composer grows with its text up to a third of the main area', () => {
	const height = (composer: number) => layoutPanes(120, 40, {...wishes, composer}).composer?.height;
	expect([height(0), height(1), height(4), height(40)]).toEqual([undefined, 3, 6, 12]);
});

test('panes tile the body and share their borders, whatever the screen and its lists', () => {
	fc.assert(
		fc.property(
			fc.integer({min: minimum.columns, max: 220}),
			fc.integer({min: minimum.rows, max: 70}),
			fc.record({
				needs: fc.nat(40),
				sessions: fc.nat(40),
				computers: fc.nat(40),
				composer: fc.nat(30),
				side: fc.constantFrom('lists' as const, 'main' as const),
				streams: fc.record({count: fc.integer({min: 1, max: 5}), focused: fc.constant(0)}),
			}),
			(columns, rows, wanted) => {
				const layout = layoutPanes(columns, rows, wanted);
				const {header, footer, streams} = layout;
				expect([header, footer]).toMatchObject([{y: 0}, {y: rows - 1, width: columns}]);
				const panes = paneRects(layout);
				expectTiled(panes, {x: 0, y: 1, width: columns, height: rows - 2});
				expect(streams?.rects.every(({width}) => width >= streamMin)).not.toBe(false);
			},
		),
		{numRuns: 100},
	);
});

test('says in one row that nothing needs the user, and gives text 80 columns on a screen of 120', () => {
	const layout = layoutPanes(120, 40, {...wishes, needs: 0});
	expect((layout.sessions?.y ?? 0) - (layout.needs?.y ?? 0)).toBe(1);
	// Both borders, the cursor's mark and the gutter.
	const width = (layout.main?.width ?? 0) - 2 - 1;
	expect(width - gutterOf(width)).toBeGreaterThanOrEqual(80);
});

test('at 80 x 24, reading fills the screen, and at 80 x 40 most of it', () => {
	const reading = {...wishes, side: 'main'} as const;
	const {sessions, main} = layoutPanes(80, 24, reading);
	expect([sessions, main]).toEqual([undefined, {x: 0, y: 1, width: 80, height: 20}]);
	expect(layoutPanes(80, 40, reading).main?.height).toBeGreaterThan(26);
	// The lists stay where the user has given them a size.
	expect(layoutPanes(80, 24, {...reading, heightShare: 0.3}).sessions?.height).toBe(7);
});

test('for a screen reader, nothing is beside anything else, however wide the screen', () => {
	for (const side of ['lists', 'main'] as const) {
		const wishes = {needs: 2, sessions: 5, computers: 3, composer: 1, side, isScreenReader: true};
		const {mode, isScreenReader, needs, sessions, computers, main, composer, streams} = layoutPanes(200, 50, {
			...wishes,
			streams: {count: 3, focused: 1},
		});
		expect({mode, isScreenReader, streams}).toEqual({
			mode: 'single',
			isScreenReader: true,
			streams: undefined,
		});
		for (const rect of [needs, sessions, computers, main, composer])
			if (rect) expect([rect.x, rect.width]).toEqual([0, 200]);
	}
});

test('the first screen fills the body', () => {
	const wishes = {needs: 0, sessions: 0, computers: 0, composer: 0, side: 'main', isFirstRun: true} as const;
	const {main, sessions} = layoutPanes(120, 40, wishes);
	expect(main).toEqual({x: 0, y: 1, width: 120, height: 38});
	expect(sessions).toBeUndefined();
});
