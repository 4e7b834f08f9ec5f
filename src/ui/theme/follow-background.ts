import type {Rgb} from '../../domain/display.ts';
import type {DisplayStore} from '../../state/display.ts';
import type {Terminal} from '../../term/terminal.ts';
import {isDarkColor} from './colors.ts';

/** Keeps the display on the background that the terminal tells. Answers how to end that. */
export function followBackground(
	terminal: Pick<Terminal, 'onBackground'>,
	display: DisplayStore,
): () => void {
	return terminal.onBackground(background => {
		// It is told again with every return of the focus; nothing is drawn anew for what is known.
		if (isSame(display.getState().background, background)) return;
		display.setState({background, isDark: isDarkColor(background)});
	});
}

function isSame(one: Rgb | undefined, other: Rgb): boolean {
	return one?.every((value, index) => value === other[index]) ?? false;
}
