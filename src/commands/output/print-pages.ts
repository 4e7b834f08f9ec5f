import type {WalkEnd} from '../../api/pages.ts';
import {endTexts} from '../../sync/core/reading-gaps.ts';
import type {Safe} from '../../text/cells/safe.ts';
import type {CommandContext} from '../cli/context.ts';
import {type ExitCode, exitCodes, NothingFoundError} from '../cli/errors.ts';
import {createProgress} from './output.ts';
import {limitOf} from './print-rows.ts';

type PagedList<Item, Row> = {
	/** The plural noun of the list, for progress: `users`. */
	readonly what: string;
	readonly pages: AsyncGenerator<{readonly items: readonly Item[]; readonly skipped: number}, WalkEnd>;
	/** The rows of a page's items; `--limit` counts them. */
	readonly rowsOf: (items: readonly Item[]) => readonly Row[];
	/** The rows that only the end of the list determines. */
	readonly lastRows?: () => readonly Row[];
	readonly linesOf: (rows: readonly Row[]) => readonly Safe[];
	/** What stderr says if the list is empty. */
	readonly none: string;
	/** The error message when a filter matches nothing; absent without a filter. */
	readonly noMatches?: string | undefined;
};

/**
 * Prints a list page by page without holding it in memory: requests the next page once stdout has accepted
 * the current one. Returns 1 when the service reports more without a way to read it, and 4 when nothing
 * matches a filter.
 */
export async function printPages<Item, Row>(
	context: CommandContext,
	{what, pages, rowsOf, lastRows = () => [], linesOf, none, noMatches}: PagedList<Item, Row>,
): Promise<ExitCode> {
	const {output, clock} = context;
	const limit = limitOf(context);
	const progress = createProgress(context.system.stderr, clock);
	let read = 0;
	let printed = 0;
	let skipped = 0;
	let end: WalkEnd | undefined;

	async function print(rows: readonly Row[]): Promise<void> {
		const wanted = rows.slice(0, limit - printed);
		printed += wanted.length;
		if (printed >= limit) end = 'end';
		if (wanted.length === 0) return;
		progress.end();
		await output.part(linesOf(wanted), context.signal);
	}

	try {
		while (end === undefined) {
			const {value, done} = await pages.next().catch(error => {
				progress.end();
				if (printed > 0 && !context.signal.aborted) output.note(strings.cutShort(printed));
				throw error;
			});
			if (done) {
				await print(lastRows());
				end = value;
				break;
			}
			read += value.items.length;
			skipped += value.skipped;
			await print(rowsOf(value.items));
			progress.show(strings.reading(what, read));
		}
		if (printed === 0 && noMatches === undefined) await output.part(linesOf([]), context.signal);
	} finally {
		progress.end();
	}
	const code = completeness(context, skipped, end);
	if (printed === 0 && noMatches === undefined && code === exitCodes.done) output.note(none);
	if (printed > 0 || noMatches === undefined || code !== exitCodes.done) return code;
	throw new NothingFoundError(noMatches);
}

/** Bound on the items in memory, in UTF-16 units of their JSON. */
const maxKept = 128 * 1024 * 1024;

/** Keeps a list's items in memory for rows that only its end determines. A list that is too long ends early. */
export function keepItems<Item>(pages: PagedList<Item, never>['pages']) {
	const items: Item[] = [];
	let size = 0;
	async function* untilFull(): typeof pages {
		for (;;) {
			const {value, done} = await pages.next();
			if (done) return value;
			items.push(...value.items);
			size += JSON.stringify(value.items).length;
			yield value;
			if (size > maxKept) return 'full';
		}
	}
	return {items, pages: untilFull(), rowsOf: () => []};
}

/** Reports on stderr what is missing from the list and returns the exit code; an incomplete list is a failure. */
export function completeness(
	{output}: CommandContext,
	skipped: number,
	end: WalkEnd = 'end',
	notes: readonly string[] = [],
): ExitCode {
	for (const note of notes) output.note(note);
	if (skipped > 0) output.note(strings.skipped(skipped));
	if (end !== 'end') output.note(endTexts[end]);
	return notes.length + skipped > 0 || end !== 'end' ? exitCodes.refused : exitCodes.done;
}

export const strings = {
	reading: (what: string, count: number | string) => `reading ${what}: ${count}`,
	skipped: (count: number) =>
		count === 1
			? '1 item could not be read: it is missing here'
			: `${count} items could not be read: they are missing here`,
	cutShort: (printed: number) =>
		`the list is incomplete: it ends after ${printed === 1 ? 'the first row' : `the first ${printed} rows`}, as the next page could not be read`,
};
