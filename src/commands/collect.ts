import {pagesOf, type WalkEnd} from '../api/pages.ts';
import type {CallOptions, PageQuery} from '../api/service.ts';
import {pageLimit} from '../domain/limits.ts';
import type {Page} from '../domain/page.ts';
import type {CommandContext} from './context.ts';
import {type ExitCode, exitCodes} from './exit-codes.ts';
import {createProgress} from './progress.ts';

/** Everything a list has, and how the walk to it ended. */
type Collected<Item> = {
	readonly items: readonly Item[];
	readonly skipped: number;
	readonly isWhole: boolean;
};

/** Reads a list to its end, page by page, telling how far it is. What comes twice, by `idOf`, counts once. */
export async function collect<Item>(
	{signal, clock}: CommandContext,
	what: string,
	call: (query: PageQuery, options?: CallOptions) => Promise<Page<Item>>,
	idOf: (item: Item) => string | number,
): Promise<Collected<Item>> {
	const progress = createProgress(process.stderr, clock);
	const items = new Map<string | number, Item>();
	let skipped = 0;
	let end: WalkEnd | undefined;
	try {
		const pages = pagesOf(call, {limit: pageLimit.max}, {signal});
		while (end === undefined) {
			const {value, done} = await pages.next();
			if (done) end = value;
			else {
				for (const item of value.items) if (!items.has(idOf(item))) items.set(idOf(item), item);
				skipped += value.skipped;
				progress.tell(`reading ${what}: ${items.size}`);
			}
		}
	} finally {
		progress.end();
	}
	return {items: [...items.values()], skipped, isWhole: end === 'end'};
}

/** Tells, on stderr, what a list lacks; a list that isn't whole is no success. */
export function completeness(
	{output}: CommandContext,
	{skipped, isWhole}: {readonly skipped: number; readonly isWhole: boolean},
): ExitCode {
	if (skipped > 0)
		output.note(`${skipped} ${skipped === 1 ? 'item' : 'items'} could not be read and are left out`);
	if (isWhole) return exitCodes.done;
	output.note('the service says that there is more and gives no way to it: this is what it gave');
	return exitCodes.refused;
}
