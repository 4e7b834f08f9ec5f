/**
 * Which messages are gone from a listing. A message counts as missing when a re-read window holds those that stood
 * before and after it, and not itself. A stale answer looks the same once, so it takes two reads in a row; at the
 * newest end a listing may simply lag behind, so there it takes a minute as well.
 */
export type MissingMessages = {
	/** What an earlier run saw one after another, oldest first; `isWhole`: from the first message on. */
	expect(ids: readonly string[], isWhole: boolean): void;
	/** `page` are the ids of a re-read window, oldest first, and the ends it holds; answers the ids that are surely gone. */
	removeMissing(page: readonly string[], ends: Ends, now: number): readonly string[];
};

/** Which ends of the listing a window reaches. */
export type Ends = {readonly isOldest: boolean; readonly isNewest: boolean};

/** Stands before the first message of all. */
const beginning = '';
const lagLimit = 60_000;
const maxRun = 100;
const remembered = 5_000;

export function createMissingMessages(): MissingMessages {
	/** By id: the id that followed it when a page last held both. */
	const follower = new Map<string, string>();
	const missing = new Map<string, {reads: number; readonly since: number}>();

	/** Those that followed `id` and are not in the page, and what they are followed by, if by anything. */
	function missingAfter(id: string, inPage: ReadonlySet<string>): {run: string[]; after: string | undefined} {
		const run: string[] = [];
		let next = follower.get(id);
		while (next !== undefined && !inPage.has(next) && run.length < maxRun) {
			run.push(next);
			next = follower.get(next);
		}
		return {run, after: next};
	}

	/** Lets each of a chain be followed by the one after it, and the last by `end`, if by any. */
	function link(chain: readonly string[], end?: string): void {
		for (const [index, id] of chain.entries()) {
			const next = chain[index + 1] ?? end;
			if (next !== undefined) follower.set(id, next);
			else follower.delete(id);
		}
	}

	function isGone(id: string, isClosed: boolean, now: number): boolean {
		const seen = missing.get(id) ?? {reads: 0, since: now};
		seen.reads++;
		missing.set(id, seen);
		return seen.reads >= 2 && (isClosed || now - seen.since >= lagLimit);
	}

	return {
		expect(ids, isWhole) {
			link(isWhole ? [beginning, ...ids] : ids);
		},
		removeMissing(window, {isOldest, isNewest}, now) {
			const page = isOldest ? [beginning, ...window] : window;
			const inPage = new Set(page);
			const gone: string[] = [];
			/** Two may be followed by the same one: a read counts once. */
			const judged = new Map<string, boolean>();
			const isGoneNow = (id: string, isClosed: boolean) => {
				const verdict = judged.get(id) ?? isGone(id, isClosed, now);
				judged.set(id, verdict);
				return verdict;
			};
			for (const [index, id] of page.entries()) {
				missing.delete(id);
				const {run, after} = missingAfter(id, inPage);
				const isClosed = after !== undefined && inPage.has(after);
				// A window that reaches the newest end holds whatever stands after this one.
				const isCounted = isClosed || isNewest;
				const goneHere = new Set(isCounted ? run.filter(lost => isGoneNow(lost, isClosed)) : []);
				gone.push(...goneHere);
				const left = run.filter(lost => !goneHere.has(lost));
				const next = page[index + 1];
				// What is missing stays between the two it was seen between.
				const end = left.length === 0 ? (next ?? after) : (after ?? next);
				if (end !== undefined || goneHere.size > 0) link([id, ...left], end);
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
