import type {UserRow} from '../organization/analytics.ts';
import {createQuantiles, type Quantiles} from './quantiles.ts';
import {type DayRange, daysIn} from './range.ts';
import {finite} from './series.ts';
import {createTraits, type Traits} from './traits.ts';

/** Measures of a person that can be summed over days. */
export const personMeasures = [
	'billable_tokens',
	'sessions',
	'user_messages',
	'tool_calls',
	'messages',
	'assistant_messages',
	'files_created',
	'files_edited',
	'git_commits',
	'git_prs_created',
	'mcp_calls',
	'skill_calls',
	'slash_commands',
	'hooks',
] as const;
export type PersonMeasure = (typeof personMeasures)[number];

export type Person = {
	readonly userId: string;
	/** Most recently reported email, if any. */
	readonly email: string | undefined;
	/** Number of days with any activity, and the last such day. */
	readonly activeDays: number;
	readonly lastDay: string | undefined;
};

/** The users in a range, by day. A person is identified by an index from 0. */
export type People = {
	readonly dates: readonly string[];
	readonly people: readonly Person[];
	/** Number of people with any activity. */
	readonly activeCount: number;
	/** Index of the person with a user id, or -1. */
	indexOf(userId: string): number;
	/** Undefined if none of the person's rows reported it. */
	total(index: number, measure: PersonMeasure): number | undefined;
	/**
	 * A person's credits on a day: zero if only others have rows that day, undefined if the day is unknown or
	 * the row doesn't report credits.
	 */
	credits(index: number, day: number): number | undefined;
	/** The highest daily credits of any person, with the person and day. */
	readonly largest: {readonly credits: number; readonly person: number; readonly day: number} | undefined;
	/**
	 * Quartiles and maximum of daily credits per person; equal values are listed once and days without credits
	 * are excluded.
	 */
	readonly quarters: readonly number[];
	/** Number of days with any data. */
	readonly knownDays: number;
	/** Tool calls per user turn, weighted by each day's user messages. */
	autonomy(index: number): number | undefined;
	traits(index: number): Traits;
	/** The number of people exceeded the limit; these are the first ones. */
	readonly isCut: boolean;
};

/** Limits on people and person-days: 200 MB. */
const maxPeople = 100_000;
const maxCells = 25_000_000;

type MutablePerson = {-readonly [Key in keyof Person]: Person[Key]};

type Sums = {
	/** In the order of `personMeasures`. */
	readonly totals: (number | undefined)[];
	/** Credits by day: NaN if the row doesn't report them, absent without a row. */
	readonly credits: number[];
	weightedAutonomy: number;
	turns: number;
};

/** Accumulates rows without retaining them. */
export function createPeople(range: DayRange): {add(row: UserRow): void; done(): People} {
	const dates = daysIn(range);
	const dayOf = new Map(dates.map((date, index) => [date, index]));
	const indexOf = new Map<string, number>();
	const people: MutablePerson[] = [];
	const sums: Sums[] = [];
	const traits = createTraits();
	const knownDays = new Set<number>();
	const dailyCredits = createQuantiles();
	let largest: People['largest'];
	let isCut = false;
	const peopleLimit = Math.min(maxPeople, Math.floor(maxCells / (dates.length + personMeasures.length)));

	function personOf(userId: string): number | undefined {
		const found = indexOf.get(userId);
		if (found !== undefined) return found;
		if (people.length >= peopleLimit) return undefined;
		indexOf.set(userId, people.length);
		sums.push({totals: [], credits: [], weightedAutonomy: 0, turns: 0});
		return people.push({userId, email: undefined, activeDays: 0, lastDay: undefined}) - 1;
	}

	return {
		add(row) {
			const day = row.date === undefined ? undefined : dayOf.get(row.date);
			if (day === undefined || row.date === undefined) return;
			const index = personOf(row.user_id);
			if (index === undefined) {
				isCut = true;
				return;
			}
			const personSums = sums[index] as Sums;
			// The service may repeat a row.
			if (personSums.credits[day] !== undefined) return;
			knownDays.add(day);
			for (const [column, measure] of personMeasures.entries()) {
				const value = finite(row[measure]);
				if (value !== undefined) personSums.totals[column] = (personSums.totals[column] ?? 0) + value;
			}
			const spent = finite(row.billable_tokens);
			personSums.credits[day] = spent ?? Number.NaN;
			if (spent !== undefined) {
				if (spent > 0) dailyCredits.add(spent);
				if (!largest || spent > largest.credits) largest = {credits: spent, person: index, day};
			}
			const ratio = finite(row.autonomy_ratio);
			const turns = finite(row.user_messages);
			if (ratio !== undefined && turns !== undefined) {
				personSums.weightedAutonomy += ratio * turns;
				personSums.turns += turns;
			}
			updatePerson(people[index] as MutablePerson, row, dates[day] as string);
			traits.add(index, row);
		},
		done: () => ({
			dates,
			people,
			activeCount: people.filter(({activeDays}) => activeDays > 0).length,
			isCut,
			largest,
			quarters: quartersOf(dailyCredits, largest?.credits ?? 0),
			knownDays: knownDays.size,
			indexOf: userId => indexOf.get(userId) ?? -1,
			total: (index, measure) => sums[index]?.totals[personMeasures.indexOf(measure)],
			credits(index, day) {
				if (!knownDays.has(day)) return undefined;
				return finite(sums[index]?.credits[day] ?? 0);
			},
			autonomy(index) {
				const {weightedAutonomy = 0, turns = 0} = sums[index] ?? {};
				return turns ? weightedAutonomy / turns : undefined;
			},
			traits: traits.of,
		}),
	};
}

function quartersOf(dailyCredits: Quantiles, largest: number): readonly number[] {
	const quarters = [0.25, 0.5, 0.75].flatMap(share => dailyCredits.at(share) ?? []);
	return [...new Set([...quarters, largest])].filter(value => value > 0);
}

function updatePerson(person: MutablePerson, row: UserRow, date: string): void {
	if (row.user_email && date >= (person.lastDay ?? '')) person.email = row.user_email;
	else person.email ??= row.user_email;
	if (!isActive(row)) return;
	person.activeDays++;
	if (date > (person.lastDay ?? '')) person.lastDay = date;
}

/** Whether a row has any activity; all zeros means none. */
function isActive(row: UserRow): boolean {
	return personMeasures.some(measure => (row[measure] ?? 0) > 0);
}
