import type {View} from './view.ts';

/** Maximum number of streams side by side. */
export const maxSplit = 4;

/** Sessions to show side by side, left to right; a single one without a split. */
export function streamsOf({shown, split}: View): readonly string[] {
	if (shown?.kind !== 'session') return [];
	return split.includes(shown.id) ? split : [shown.id];
}

/** The split after a session is opened: it replaces the focused one unless it is already in the split. */
export function splitAfterOpening(view: View, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (split.length === 0 || split.includes(id)) return split;
	return split.map(one => (one === lastSession ? id : one));
}

/** Adds a session next to the focused one; unchanged if it is already there or the split is full. */
export function splitWith(view: View, id: string): readonly string[] {
	const {split, lastSession} = view;
	if (lastSession === undefined || lastSession === id) return split;
	const now = split.length === 0 ? [lastSession] : split;
	if (now.includes(id) || now.length >= maxSplit) return split;
	return now.toSpliced(now.indexOf(lastSession) + 1, 0, id);
}

/** Removes a session; a single remaining session is not a split. */
export function splitWithout(split: readonly string[], id: string): readonly string[] {
	if (!split.includes(id)) return split;
	const left = split.filter(one => one !== id);
	return left.length > 1 ? left : [];
}

/** Moves a session one place left or right, wrapping around. */
export function splitMoved(split: readonly string[], id: string, by: 1 | -1): readonly string[] {
	const index = split.indexOf(id);
	if (index < 0) return split;
	return split.toSpliced(index, 1).toSpliced((index + by + split.length) % split.length, 0, id);
}

/** The neighbor of a session in the split, wrapping around. */
export function neighborOf(split: readonly string[], id: string, by: 1 | -1): string | undefined {
	const index = split.indexOf(id);
	return index < 0 ? undefined : split[(index + by + split.length) % split.length];
}
