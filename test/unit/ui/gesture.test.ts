import fc from 'fast-check';
import {expect, test} from 'vitest';
import {type Gesture, gestureOf, idlePointer, type PointerState} from '../../../src/ui/mouse/gesture.ts';

type Report = readonly [button: number, x: number, y: number, time?: number, isRelease?: boolean];

function gestures(...reports: readonly Report[]): Gesture[] {
	let hand: PointerState = idlePointer;
	return reports.flatMap(([button, x, y, time = 0, isRelease = false]) => {
		const [next, gesture] = gestureOf(hand, {button, x, y, isRelease}, time);
		hand = next;
		return gesture ? [gesture] : [];
	});
}

const kinds = (...reports: readonly Report[]) =>
	gestures(...reports).map(gesture =>
		gesture.kind === 'press' && gesture.isDouble ? 'double' : gesture.kind,
	);

const up = true;
test.each([
	[
		'two clicks in time',
		[
			[0, 3, 4],
			[0, 3, 4, 90, up],
			[0, 3, 4, 300],
			[0, 3, 4, 350, up],
		],
		['press', 'release', 'double', 'release'],
	],
	[
		'two clicks too slow',
		[
			[0, 3, 4],
			[0, 3, 4, 90, up],
			[0, 3, 4, 401],
		],
		['press', 'release', 'press'],
	],
	[
		'two clicks at two cells',
		[
			[0, 3, 4],
			[0, 3, 4, 90, up],
			[0, 4, 4, 100],
		],
		['press', 'release', 'press'],
	],
	[
		'the third begins anew',
		[
			[0, 3, 4],
			[0, 3, 4, 1, up],
			[0, 3, 4, 2],
			[0, 3, 4, 3, up],
			[0, 3, 4, 4],
		],
		['press', 'release', 'double', 'release', 'press'],
	],
	[
		'a drag',
		[
			[0, 3, 4],
			[32, 4, 4, 1],
			[32, 5, 4, 2],
			[0, 5, 4, 3, up],
		],
		['press', 'drag', 'drag', 'release'],
	],
	[
		'a click after a drag is no double',
		[
			[0, 3, 4],
			[32, 4, 4, 1],
			[0, 3, 4, 2, up],
			[0, 3, 4, 3],
		],
		['press', 'drag', 'release', 'press'],
	],
	[
		"Shift is the terminal's own",
		[
			[4, 1, 1],
			[68, 1, 1],
		],
		[],
	],
] as const)('%s', (_, reports, expected) => {
	expect(kinds(...(reports as readonly Report[]))).toEqual(expected);
});

test('the wheel reports its direction', () => {
	expect(gestures([64, 7, 8], [65, 7, 8])).toEqual([
		{kind: 'wheel', at: {x: 7, y: 8}, by: -1},
		{kind: 'wheel', at: {x: 7, y: 8}, by: 1},
	]);
});

test('a release or drag comes only between a press and its release', () => {
	const report = fc.tuple(fc.nat(300), fc.nat(5), fc.nat(5), fc.nat(1000), fc.boolean());
	fc.assert(
		fc.property(fc.array(report, {maxLength: 40}), reports => {
			let isHeld = false;
			for (const {kind} of gestures(...reports)) {
				if (kind === 'drag' || kind === 'release') expect(isHeld).toBe(true);
				if (kind !== 'wheel') isHeld = kind !== 'release';
			}
		}),
	);
});
