import {cleanLine} from '../text/clean.ts';

/** Saves the current title, which `restore` brings back. */
export const saveTitle = '\x1b[22;2t';

/** Sets the window's title. tmux uses it for its pane, so it isn't passed through. */
export function titleSequence(title: string): string {
	return `\x1b]2;${cleanLine(title, 200)}\x1b\\`;
}
