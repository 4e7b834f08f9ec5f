import type {MouseReport} from '../../term/input-filter.ts';

type Cell = {readonly x: number; readonly y: number};

/** What the user did. */
export type Gesture =
	| {readonly kind: 'press'; readonly at: Cell; readonly isDouble: boolean}
	/** The button is held and the pointer moved. */
	| {readonly kind: 'drag'; readonly at: Cell}
	| {readonly kind: 'release'; readonly at: Cell}
	/** One notch; down is 1. */
	| {readonly kind: 'wheel'; readonly at: Cell; readonly by: 1 | -1};

/** What has to be remembered between two reports. */
export type PointerState = {
	/** Is the left button down, as far as we were told? */
	readonly isHeld: boolean;
	/** The last press, when a second one there can make it double (Unix ms). */
	readonly last?: Cell & {readonly time: number};
};

export const idlePointer: PointerState = {isHeld: false};

/** Two presses at one cell in this time are a double one, ms. */
const doubleTime = 400;
const bits = {button: 3, shift: 4, motion: 32, wheel: 64, further: 128} as const;

/**
 * The gesture that a report makes, and the hand after it. Only the left button and the wheel are ours; what is held
 * with Shift is the terminal's own selection, should it be reported all the same.
 */
export function gestureOf(
	hand: PointerState,
	{button, x, y, isRelease}: MouseReport,
	time: number,
): readonly [PointerState, Gesture | undefined] {
	const at = {x, y};
	if ((button & bits.further) !== 0 || (button & bits.shift) !== 0) return [hand, undefined];
	if ((button & bits.wheel) !== 0) {
		const isUpDown = (button & bits.button) < 2 && !isRelease;
		return [hand, isUpDown ? {kind: 'wheel', at, by: (button & 1) === 1 ? 1 : -1} : undefined];
	}
	if (isRelease) {
		return hand.isHeld
			? [
					{...hand, isHeld: false},
					{kind: 'release', at},
				]
			: [hand, undefined];
	}
	if ((button & bits.button) !== 0) return [hand, undefined];
	if ((button & bits.motion) !== 0) {
		// A drag is no press: the next one is not the second of a double.
		return hand.isHeld ? [{isHeld: true}, {kind: 'drag', at}] : [hand, undefined];
	}
	const {last} = hand;
	const isDouble = last !== undefined && last.x === x && last.y === y && time - last.time <= doubleTime;
	// A third press begins anew.
	return [
		{isHeld: true, ...(!isDouble && {last: {...at, time}})},
		{kind: 'press', at, isDouble},
	];
}
