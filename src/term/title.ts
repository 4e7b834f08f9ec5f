import {cleanLine} from '../text/clean.ts';

/** Keeps the title there was, to come back to (`restore` does). */
export const saveTitle = '\x1b[22;2t';

/** Sets the window's title. tmux takes it for its pane, so it isn't passed through. */
export function titleSequence(title: string): string {
	return `\x1b]2;${cleanLine(title, 200)}\x1b\\`;
}
