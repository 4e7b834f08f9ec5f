/**
 * Detects messages deleted from a listing. A message is missing from a re-read window that contains its
 * neighbors but not the message itself. One stale response looks the same, so two consecutive reads must
 * agree; the newest end may lag, so there it must also stay missing for a minute.
 */
export type MissingMessages = ReturnType<typeof createMissingMessages>;

/** Which ends of the listing a window reaches. */
export type Ends = {readonly isOldest: boolean; readonly isNewest: boolean};

/** Sentinel before the first message. */
const beginning = '';
const lagLimit = 60_000;
const maxRun = 100;
const maxLinks = 5_000;

export function createMissingMessages() {
	/** Each id's successor when a page last contained both. */
	const nextIds = new Map<string, string>();
	const missing = new Map<string, {reads: number; readonly since: number}>();

	/** The ids after `id` that are not in the page, and the id that follows them, if any. */
	function missingAfter(id: string, inPage: ReadonlySet<string>): {run: string[]; after: string | undefined} {
		const run: string[] = [];
		let next = nextIds.get(id);
		while (next !== undefined && !inPage.has(next) && run.length < maxRun) {
			run.push(next);
			next = nextIds.get(next);
		}
		return {run, after: next};
	}

	/** Links each id in the chain to the next, and the last to `end`, if given. */
	function link(chain: readonly string[], end?: string): void {
		for (const [index, id] of chain.entries()) {
			const next = chain[index + 1] ?? end;
			if (next !== undefined) nextIds.set(id, next);
			else nextIds.delete(id);
		}
	}

	function isGone(id: string, isClosed: boolean, now: number): boolean {
		const absence = missing.get(id) ?? {reads: 0, since: now};
		absence.reads++;
		missing.set(id, absence);
		return absence.reads >= 2 && (isClosed || now - absence.since >= lagLimit);
	}

	return {
		/** Whether messages are missing that may be gone. */
		get isWaiting() {
			return missing.size > 0;
		},
		/** Registers ids of an earlier run, oldest first. `isWhole`: they start at the first message. */
		expect(ids: readonly string[], isWhole: boolean): void {
			link(isWhole ? [beginning, ...ids] : ids);
		},
		/** Compares a re-read window: ids, oldest first, and the `ends` it reaches; returns those now gone. */
		removeMissing(window: readonly string[], {isOldest, isNewest}: Ends, now: number): readonly string[] {
			const page = isOldest ? [beginning, ...window] : window;
			const inPage = new Set(page);
			const gone: string[] = [];
			/** Two ids may have the same successor: count each read only once. */
			const verdicts = new Map<string, boolean>();
			const isGoneNow = (id: string, isClosed: boolean) => {
				const verdict = verdicts.get(id) ?? isGone(id, isClosed, now);
				verdicts.set(id, verdict);
				return verdict;
			};
			for (const [index, id] of page.entries()) {
				missing.delete(id);
				const {run, after} = missingAfter(id, inPage);
				const isClosed = after !== undefined && inPage.has(after);
				// A window at the newest end must contain everything after this id.
				const isCounted = isClosed || isNewest;
				const goneHere = new Set(isCounted ? run.filter(lost => isGoneNow(lost, isClosed)) : []);
				gone.push(...goneHere);
				const left = run.filter(lost => !goneHere.has(lost));
				const next = page[index + 1];
				// Keep missing ids between the neighbors they were last seen with.
				const end = left.length === 0 ? (next ?? after) : (after ?? next);
				if (end !== undefined || goneHere.size > 0) link([id, ...left], end);
			}
			for (const id of gone) {
				missing.delete(id);
				nextIds.delete(id);
			}
			if (nextIds.size > maxLinks) {
				for (const id of [...nextIds.keys()].slice(0, maxLinks / 2)) nextIds.delete(id);
			}
			return gone;
		},
	};
}
