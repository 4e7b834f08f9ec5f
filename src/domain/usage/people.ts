import type {UserRow} from '../organization/analytics.ts';
import {createFlagGrid} from './flag-grid.ts';
import {createNumberGrid} from './number-grid.ts';
import {createQuantiles, type Quantiles} from './quantiles.ts';
import {type DayRange, daysIn} from './range.ts';
import {known} from './series.ts';
import {createTraitsBuilder, type Traits} from './traits.ts';

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
	/** Number of duplicate rows, by user and day. */
	readonly repeated: number;
};

/** Limits on people and person-days: 200 MB. */
const maxPeople = 100_000;
const maxCells = 25_000_000;

type Growing = {-readonly [Key in keyof Person]: Person[Key]};

/**
 * Accumulates rows without retaining them: values go into numeric tables. 20,000 users over 90 days take
 * about 25 MB, and each further day a sixth of a megabyte.
 */
export function createPeople(range: DayRange): {add(row: UserRow): void; done(): People} {
	const dates = daysIn(range);
	const dayOf = new Map(dates.map((date, index) => [date, index]));
	const indexOf = new Map<string, number>();
	const people: Growing[] = [];
	const totals = createNumberGrid(personMeasures.length);
	const ratios = createNumberGrid(2);
	const seen = createFlagGrid(dates.length);
	const credits = createNumberGrid(dates.length);
	const traits = createTraitsBuilder();
	const knownDays = new Set<number>();
	const spending = createQuantiles();
	let largest: People['largest'];
	let repeated = 0;
	let isCut = false;
	const maxPeopleKept = Math.min(maxPeople, Math.floor(maxCells / (dates.length + personMeasures.length)));

	function personOf(userId: string): number | undefined {
		const found = indexOf.get(userId);
		if (found !== undefined) return found;
		if (people.length >= maxPeopleKept) return undefined;
		indexOf.set(userId, people.length);
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
			if (!seen.raise(index, day)) {
				repeated++;
				return;
			}
			knownDays.add(day);
			for (const [column, measure] of personMeasures.entries()) {
				const value = known(row[measure]);
				if (value !== undefined) totals.add(index, column, value);
			}
			const spent = known(row.billable_tokens);
			if (spent !== undefined) {
				credits.set(index, day, spent);
				if (spent > 0) spending.add(spent);
				if (!largest || spent > largest.credits) largest = {credits: spent, person: index, day};
			}
			const ratio = known(row.autonomy_ratio);
			const turns = known(row.user_messages);
			if (ratio !== undefined && turns !== undefined) {
				ratios.add(index, 0, ratio * turns);
				ratios.add(index, 1, turns);
			}
			describe(people[index] as Growing, row, dates[day] as string);
			traits.add(index, row);
		},
		done: () => ({
			dates,
			people,
			activeCount: people.filter(({activeDays}) => activeDays > 0).length,
			isCut,
			repeated,
			largest,
			quarters: quartersOf(spending, largest?.credits ?? 0),
			knownDays: knownDays.size,
			indexOf: userId => indexOf.get(userId) ?? -1,
			total: (index, measure) => totals.get(index, personMeasures.indexOf(measure)),
			credits(index, day) {
				if (!knownDays.has(day)) return undefined;
				return seen.has(index, day) ? credits.get(index, day) : 0;
			},
			autonomy(index) {
				const turns = ratios.get(index, 1);
				return turns ? (ratios.get(index, 0) ?? 0) / turns : undefined;
			},
			traits: traits.of,
		}),
	};
}

function quartersOf(spending: Quantiles, largest: number): readonly number[] {
	const quarters = [0.25, 0.5, 0.75].flatMap(share => spending.at(share) ?? []);
	return [...new Set([...quarters, largest])].filter(value => value > 0);
}

function describe(person: Growing, row: UserRow, date: string): void {
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
