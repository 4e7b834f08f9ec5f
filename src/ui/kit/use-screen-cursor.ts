import {useCursor} from 'ink';
import {useId, useInsertionEffect, useRef} from 'react';
import {useApp} from '../use-app.ts';

type Cell = {readonly x: number; readonly y: number};

/** Cursor claims, by screen. Only one text is edited at a time: the last claim wins. */
const claims = new WeakMap<object, Map<string, Cell>>();

/**
 * Places the terminal's own cursor on a screen cell (input methods draw there) while text is being edited;
 * `undefined` otherwise. A component that claims and releases the cursor must be rendered inside one that
 * stays mounted and claims nothing, so that the cursor returns to the previous claim.
 */
export function useScreenCursor(cell: Cell | undefined): void {
	const {zones} = useApp();
	const id = useId();
	const set = useRef<(at: Cell | undefined) => void>(undefined);
	// Must run before Ink's own effect, which applies the position set here.
	useInsertionEffect(() => {
		const all = claims.get(zones) ?? new Map<string, Cell>();
		claims.set(zones, all);
		if (cell) all.set(id, cell);
		else all.delete(id);
		set.current?.([...all.values()].at(-1));
		return () => void all.delete(id);
	});
	set.current = useCursor().setCursorPosition;
}
