import type {Service} from '../api/service.ts';
import {analyticsStart} from '../domain/limits.ts';
import {addDays, isRealDay} from '../domain/time.ts';
import {type DayRange, freeRange} from '../domain/usage/range.ts';
import {refusedDays} from '../sync/reading-gaps.ts';
import type {Flags} from './parse.ts';
import {UsageError} from './usage-error.ts';

const defaultDays = 28;

/**
 * Reads the range given by `--from` and `--to`, by default the last 28 available days. Rejects locally what
 * the service would refuse. Without `--to`, the last day follows the service's clock: if the first response
 * shows that the day differs, calls `read` once more. `refused` is set when the service refused the last day
 * named by `--to`.
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
