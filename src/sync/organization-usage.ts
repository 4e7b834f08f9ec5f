import type {AnalyticsTable} from '../db/analytics.ts';
import type {ActivityRow, ProductivityRow, ToolRow} from '../domain/analytics.ts';
import {analyticsStart} from '../domain/limits.ts';
import {addDays} from '../domain/time.ts';
import {adoptionOf} from '../domain/usage/adoption.ts';
import {autonomyOf} from '../domain/usage/autonomy.ts';
import {type Credits, createCredits} from '../domain/usage/credits.ts';
import {efficiencyOf} from '../domain/usage/efficiency.ts';
import {membershipOf} from '../domain/usage/membership.ts';
import {outputOf} from '../domain/usage/output.ts';
import {createPeople} from '../domain/usage/people.ts';
import {type DayRange, dayCount, type RangeChoice, rangeBefore} from '../domain/usage/range.ts';
import {toolsOf} from '../domain/usage/tools.ts';
import {moversBetween, unusualDays} from '../domain/usage/unusual.ts';
import type {User} from '../domain/user.ts';
import type {PeopleData, UsageData, UsagePeriod} from '../state/organization.ts';
import type {Clock} from './clock.ts';

/** Days that tell what is usual: the same weekday of eight weeks (see `unusualDays`). */
const usualDays = 56;
/** How long keys may wait for what is being added up, ms. */
const longest = 8;

/** The days that a range needs: its own, as many before it, and those that tell what is usual. */
export function usageSpan({startDate, endDate}: DayRange): DayRange {
	const back = Math.max(dayCount({startDate, endDate}), usualDays);
	const from = addDays(startDate, -back);
	return {startDate: from < analyticsStart ? analyticsStart : from, endDate};
}

/** What the kept days of a range come to, added up day by day so that keys are never held up. Throws when it is ended. */
export async function usageOfRange(
	analytics: AnalyticsTable,
	choice: RangeChoice,
	range: DayRange,
	clock: Clock,
	signal: AbortSignal,
): Promise<UsageData> {
	const span = usageSpan(range);
	const past = rangeBefore(range);
	const pause = pauses(clock, signal);
	const sums = {
		now: createCredits(range),
		before: past && createCredits(past),
		usual: createCredits(span),
	};
	const consumed: {date: string; billable_tokens?: number}[] = [];
	for (const row of analytics.rows('tokens', span)) {
		sums.now.add(row);
		sums.before?.add(row);
		const {by_model: _, by_user: __, ...whole} = row;
		sums.usual.add(whole);
		consumed.push(whole);
		await pause();
	}
	const rows: Rows = {consumed, activity: [], tools: [], productivity: []};
	for (const family of ['activity', 'tools', 'productivity'] as const)
		for (const row of analytics.rows(family, span)) {
			(rows[family] as unknown[]).push(row);
			await pause();
		}
	const now = periodOf(range, sums.now.done(), rows);
	const before = past && sums.before && periodOf(past, sums.before.done(), rows);
	return {
		choice,
		now,
		...(before && {before}),
		unusual: unusualDays(sums.usual.done().trend, range.startDate),
		movers: before
			? [
					...moversBetween(now.credits.models, before.credits.models),
					...moversBetween(now.credits.users, before.credits.users),
				]
			: [],
	};
}

type Rows = {
	readonly consumed: readonly {readonly date: string; readonly billable_tokens?: number}[];
	readonly activity: readonly ActivityRow[];
	readonly tools: readonly ToolRow[];
	readonly productivity: readonly ProductivityRow[];
};

function periodOf(range: DayRange, credits: Credits, rows: Rows): UsagePeriod {
	const inside = <Row extends {readonly date: string}>(list: readonly Row[]) =>
		list.filter(({date}) => date >= range.startDate && date <= range.endDate);
	const activity = inside(rows.activity);
	const tools = inside(rows.tools);
	const productivity = inside(rows.productivity);
	return {
		range,
		credits,
		adoption: adoptionOf(activity, range),
		autonomy: autonomyOf(tools, activity, range),
		output: outputOf(productivity, range),
		tools: toolsOf(tools, range),
		efficiency: efficiencyOf({tokens: inside(rows.consumed), activity, productivity}, range),
	};
}

/** The people of a range, joined with the organization's users. */
export async function peopleOfRange(
	analytics: AnalyticsTable,
	choice: RangeChoice,
	range: DayRange,
	users: readonly User[],
	clock: Clock,
	signal: AbortSignal,
): Promise<PeopleData> {
	const pause = pauses(clock, signal);
	const builder = createPeople(range);
	let count = 0;
	for (const row of analytics.users(range)) {
		builder.add(row);
		if (++count % 200 === 0) await pause();
	}
	const people = builder.done();
	const active = people.people.filter(({activeDays}) => activeDays > 0);
	return {choice, range, people, membership: membershipOf(users, active, range)};
}

/** Lets others go on when the work has taken long enough. Throws when it is ended. */
function pauses(clock: Clock, signal: AbortSignal): () => Promise<void> {
	let since = clock.now();
	return async () => {
		if (clock.now() - since < longest) return;
		await new Promise<void>(resolve => setImmediate(resolve));
		signal.throwIfAborted();
		since = clock.now();
	};
}
