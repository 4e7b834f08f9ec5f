/**
 * Which messages are gone from a listing. A message counts as missing when a re-read window holds those that stood
 * before and after it, and not itself. A stale answer looks the same once, so it takes two reads in a row; at the
 * newest end a listing may simply lag behind, so there it takes a minute as well.
 */
export type Absences = {
	/** `page` are the ids of a re-read window, oldest first; answers the ids that are surely gone. */
	observe(page: readonly string[], isNewestEnd: boolean, now: number): readonly string[];
};

const lagLimit = 60_000;
const longestRun = 100;
const remembered = 5_000;

export function createAbsences(): Absences {
	/** By id: the id that followed it when a page last held both. */
	const follower = new Map<string, string>();
	const missing = new Map<string, {reads: number; readonly since: number}>();

	function missingAfter(id: string, inPage: ReadonlySet<string>): {run: string[]; isClosed: boolean} {
		const run: string[] = [];
		let next = follower.get(id);
		while (next !== undefined && !inPage.has(next) && run.length < longestRun) {
			run.push(next);
			next = follower.get(next);
		}
		return {run, isClosed: next !== undefined};
	}

	function isGone(id: string, isClosed: boolean, now: number): boolean {
		const seen = missing.get(id) ?? {reads: 0, since: now};
		seen.reads++;
		missing.set(id, seen);
		return seen.reads >= 2 && (isClosed || now - seen.since >= lagLimit);
	}

	return {
		observe(page, isNewestEnd, now) {
			const inPage = new Set(page);
			const gone: string[] = [];
			for (const [index, id] of page.entries()) {
				missing.delete(id);
				const isLast = index === page.length - 1;
				const {run, isClosed} = missingAfter(id, inPage);
				const isCounted = isClosed || (isLast && isNewestEnd);
				const goneHere = isCounted ? run.filter(lost => isGone(lost, isClosed, now)) : [];
				gone.push(...goneHere);
				const next = page[index + 1];
				if (goneHere.length === run.length && next !== undefined) follower.set(id, next);
				else if (run.length > 0 && goneHere.length === run.length) follower.delete(id);
			}
			for (const id of gone) {
				missing.delete(id);
				follower.delete(id);
			}
			if (follower.size > remembered) {
				for (const id of [...follower.keys()].slice(0, remembered / 2)) follower.delete(id);
			}
			return gone;
		},
	};
}
