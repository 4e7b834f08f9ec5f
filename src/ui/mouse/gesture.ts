import type {MouseReport} from '../../term/guarded-stdin.ts';

type Cell = {readonly x: number; readonly y: number};

export type Gesture =
	| {readonly kind: 'press'; readonly at: Cell; readonly isDouble: boolean}
	/** The pointer moved with the button held. */
	| {readonly kind: 'drag'; readonly at: Cell}
	| {readonly kind: 'release'; readonly at: Cell}
	/** One notch; positive is down. */
	| {readonly kind: 'wheel'; readonly at: Cell; readonly by: 1 | -1};

/** State between two mouse reports. */
export type PointerState = {
	/** Whether the left button was last reported as down. */
	readonly isHeld: boolean;
	/** The last press, if a second one on its cell would complete a double press; `time` is Unix ms. */
	readonly last?: Cell & {readonly time: number};
};

export const idlePointer: PointerState = {isHeld: false};

/** Two presses on a cell within this time are a double press, ms. */
const doubleTime = 400;
const bits = {button: 3, shift: 4, motion: 32, wheel: 64, further: 128} as const;

/**
 * Converts a report into a gesture and the new pointer state. Handles only the left button and the wheel;
 * with Shift held, a reported press belongs to the terminal's own selection.
 */
export function gestureOf(
	pointer: PointerState,
	{button, x, y, isRelease}: MouseReport,
	time: number,
): readonly [PointerState, Gesture | undefined] {
	const at = {x, y};
	if ((button & bits.further) !== 0 || (button & bits.shift) !== 0) return [pointer, undefined];
	if ((button & bits.wheel) !== 0) {
		const isUpDown = (button & bits.button) < 2 && !isRelease;
		return [pointer, isUpDown ? {kind: 'wheel', at, by: (button & 1) === 1 ? 1 : -1} : undefined];
	}
	if (isRelease) {
		return pointer.isHeld
			? [
					{...pointer, isHeld: false},
					{kind: 'release', at},
				]
			: [pointer, undefined];
	}
	if ((button & bits.button) !== 0) return [pointer, undefined];
	if ((button & bits.motion) !== 0) {
		// A drag is not a press: the next press can't complete a double press.
		return pointer.isHeld ? [{isHeld: true}, {kind: 'drag', at}] : [pointer, undefined];
	}
	const {last} = pointer;
	const isDouble = last !== undefined && last.x === x && last.y === y && time - last.time <= doubleTime;
	// A third press starts over.
	return [
		{isHeld: true, last: isDouble ? undefined : {...at, time}},
		{kind: 'press', at, isDouble},
	];
}

/** Mouse reports from the terminal; they arrive while the mouse is on. */
export type MouseInput = {
	readonly isOn: () => boolean;
	/** Turning it off restores the terminal's own selection. */
	turn(isOn: boolean): void;
	/** Returns a function that stops listening. */
	listen(listener: (report: MouseReport) => void): () => void;
};
