import {useCursor} from 'ink';

/** Puts the terminal's own cursor on a cell of the screen (input methods draw there), or hides it. */
export function useScreenCursor(cell: {readonly x: number; readonly y: number} | undefined): void {
	const {setCursorPosition} = useCursor();
	setCursorPosition(cell);
}
