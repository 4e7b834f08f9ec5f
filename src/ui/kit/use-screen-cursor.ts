import {useCursor} from 'ink';
import {useId, useInsertionEffect, useRef} from 'react';
import {useApp} from '../use-app.ts';

type Cell = {readonly x: number; readonly y: number};

/** Who wants the cursor, by screen. One text is written at a time: the last to ask has it. */
const claims = new WeakMap<object, Map<string, Cell>>();

/**
 * Puts the terminal's own cursor on a cell of the screen (input methods draw there) while something is typed in;
 * `undefined` while nothing is. Whoever asks and lets go again must be drawn within someone who stays and asks for
 * nothing, so that the cursor goes back to the one before.
 */
export function useScreenCursor(cell: Cell | undefined): void {
	const {sizes} = useApp();
	const id = useId();
	const set = useRef<(at: Cell | undefined) => void>(undefined);
	// Before Ink's own effect, which hands on what is set here.
	useInsertionEffect(() => {
		const all = claims.get(sizes) ?? new Map<string, Cell>();
		claims.set(sizes, all);
		if (cell) all.set(id, cell);
		else all.delete(id);
		set.current?.([...all.values()].at(-1));
		return () => void all.delete(id);
	});
	set.current = useCursor().setCursorPosition;
}
