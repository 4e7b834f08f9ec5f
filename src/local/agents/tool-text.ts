import {createTwoFilesPatch} from 'diff';

/** Longest text of a tool's result or of a request, UTF-16 units. */
const maxLength = 128 * 1024;
/** Time limit of a diff, ms, and its largest sides: beyond them, the new text stands for the change. */
const diffLimit = 200;
const maxDiffSide = 512 * 1024;

/** A text of an agent, cut with a note if it is too long to keep. */
export function cutText(text: string): string {
	if (text.length <= maxLength) return text;
	return `${text.slice(0, maxLength).replace(/[\ud800-\udbff]$/, '')}\n[cut: ${text.length - maxLength} more characters]`;
}

/** The change of a file as a unified diff. */
export function fileDiff(path: string, before: string, after: string): string {
	const patch =
		before.length + after.length <= maxDiffSide
			? createTwoFilesPatch(before === '' ? '/dev/null' : path, path, before, after, undefined, undefined, {
					context: 3,
					timeout: diffLimit,
				})
			: undefined;
	// The library puts an `Index:` line and a rule above a change whose two names are the same.
	return cutText(patch?.replace(/^(?:Index: .*\n)?=+\n/, '') ?? `${path}\n${after}`);
}
