import type {View} from './view.ts';

/** Streams side by side at most. */
export const maxSplit = 4;

/** The sessions whose streams are to be side by side, left to right; one alone when there is no split. */
export function streamsOf({shown, split}: Pick<View, 'shown' | 'split'>): readonly string[] {
	if (shown?.kind !== 'session') return [];
	return split.includes(shown.id) ? split : [shown.id];
}

/** The split after a session was opened: in the place of the one that had the focus, or where it is already. */
export function splitAfterOpening(view: Pick<View, 'split' | 'lastSession'>, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (split.length === 0 || split.includes(id)) return split;
	return split.map(one => (one === lastSession ? id : one));
}

/** With a session beside the one that has the focus; itself when it is there already or there are as many as can be. */
export function splitWith(view: Pick<View, 'split' | 'lastSession'>, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (lastSession === undefined || lastSession === id) return split;
	const now = split.length === 0 ? [lastSession] : split;
	if (now.includes(id) || now.length >= maxSplit) return split;
	return now.toSpliced(now.indexOf(lastSession) + 1, 0, id);
}

/** Without a session; what is left of two is no split. */
export function splitWithout(split: readonly string[], id: string): readonly string[] {
	if (!split.includes(id)) return split;
	const left = split.filter(one => one !== id);
	return left.length > 1 ? left : [];
}

/** With a session one place to the left or right, around the ends. */
export function splitMoved(split: readonly string[], id: string, by: 1 | -1): readonly string[] {
	const index = split.indexOf(id);
	if (index < 0) return split;
	return split.toSpliced(index, 1).toSpliced((index + by + split.length) % split.length, 0, id);
}

/** The session beside another one, around the ends. */
export function besideOf(split: readonly string[], id: string, by: 1 | -1): string | undefined {
	const index = split.indexOf(id);
	return index < 0 ? undefined : split[(index + by + split.length) % split.length];
}
