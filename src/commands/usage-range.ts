import type {Service} from '../api/service.ts';
import {analyticsStart} from '../domain/limits.ts';
import {addDays, isRealDay} from '../domain/time.ts';
import {type DayRange, freeRange} from '../domain/usage/range.ts';
import {refusedDays} from '../sync/reading-gaps.ts';
import type {Flags} from './parse.ts';
import {UsageError} from './usage-error.ts';

const defaultDays = 28;

/**
 * Reads a range that `--from` and `--to` name: 28 days up to the last one there is when they are left out. What the
 * service would refuse is refused here. Without `--to` the last day is by the service's clock: when its first answer
 * tells that this is another day than thought, `read` is called once more. `refused` says so when the service refused the
 * last day that `--to` names.
 */
export async function withRange<Answer>(
	flags: Flags,
	service: Service,
	read: (range: DayRange) => Promise<Answer>,
): Promise<{readonly range: DayRange; readonly answer: Answer; readonly refused: readonly string[]}> {
	const lastDay = await service.analytics.lastDay();
	const range = rangeOf(flags, lastDay);
	const answer = await read(range);
	const newLastDay = await service.analytics.lastDay();
	if (flags.text('to') !== undefined || newLastDay === lastDay)
		return {range, answer, refused: refusedDays(range, newLastDay)};
	const again = rangeOf(flags, newLastDay);
	return {range: again, answer: await read(again), refused: []};
}

function rangeOf(flags: Flags, lastDay: string): DayRange {
	const endDate = flags.text('to') ?? lastDay;
	const usual = isRealDay(endDate) ? addDays(endDate, 1 - defaultDays) : analyticsStart;
	const startDate = flags.text('from') ?? (usual < analyticsStart ? analyticsStart : usual);
	const checked = freeRange(startDate, endDate, lastDay);
	if ('problem' in checked) throw new UsageError(`--from and --to: ${checked.problem}`);
	return checked.range;
}
