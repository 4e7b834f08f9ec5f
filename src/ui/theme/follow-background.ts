import type {Rgb} from '../../domain/display.ts';
import type {DisplayStore} from '../../state/view/display.ts';
import type {Terminal} from '../../term/terminal.ts';
import {isDarkColor} from './colors.ts';

/** Updates the display with the background that the terminal reports. Returns a function that stops this. */
export function followBackground(terminal: Terminal, display: DisplayStore): () => void {
	return terminal.onBackground(background => {
		// The terminal reports it on every return of the focus; don't redraw for a known one.
		if (isSame(display.getState().background, background)) return;
		display.setState({background, isDark: isDarkColor(background)});
	});
}

function isSame(one: Rgb | undefined, other: Rgb): boolean {
	return one?.every((value, index) => value === other[index]) ?? false;
}
