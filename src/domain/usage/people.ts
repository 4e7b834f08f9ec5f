import type {UserRow} from '../organization/analytics.ts';
import {type DayRange, daysIn} from './range.ts';
import {finite} from './series.ts';

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
const creditColumn = personMeasures.indexOf('billable_tokens');

type Person = {
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
	indexOf(userId: string): number;
	/** Undefined if none of the person's rows reported it. */
	total(index: number, measure: PersonMeasure): number | undefined;
	/**
	 * A person's credits on a day: zero if only others have rows that day, undefined if the day is unknown or
	 * the row doesn't report credits.
	 */
	credits(index: number, day: number): number | undefined;
	/**
	 * Quartiles and maximum of daily credits per person; equal values are listed once and days without credits
	 * are excluded.
	 */
	readonly quarters: readonly number[];
	/** Number of days with any data. */
	readonly knownDays: number;
	/** The most decimal places that anyone's credits have, at most 2. */
	readonly creditPlaces: number;
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
	let largest = 0;
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
			largest = Math.max(largest, spent ?? 0);
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
			quarters: quartersOf(sums, largest),
			knownDays: knownDays.size,
			creditPlaces: placesOf(sums.map(({totals}) => totals[creditColumn] ?? 0)),
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

function placesOf(numbers: readonly number[]): number {
	const cents = numbers.map(number => Math.round(number * 100));
	if (cents.some(count => count % 10 !== 0)) return 2;
	return cents.some(count => count % 100 !== 0) ? 1 : 0;
}

/** Of a thousand people at most, evenly chosen. */
function quartersOf(sums: readonly Sums[], largest: number): readonly number[] {
	const step = Math.ceil(sums.length / 1000);
	const chosen = sums.filter((_, index) => index % step === 0);
	const sorted = Float64Array.from(chosen.flatMap(({credits}) => credits.filter(spent => spent > 0))).sort();
	const quarters = [0.25, 0.5, 0.75].flatMap(share => sorted[Math.ceil(share * sorted.length) - 1] ?? []);
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

/** Categorical values of a person's days. */
type Traits = {
	/** Number of days on which each was the primary one. */
	readonly models: ReadonlyMap<string, number>;
	readonly levels: ReadonlyMap<string, number>;
	readonly languages: ReadonlySet<string>;
	/** Most recently reported tier of each model, for any person. */
	readonly tiers: ReadonlyMap<string, string>;
};

/** Maximum words of one kind: there are tens of models, levels and languages. */
const maxWords = 1000;

/** Accumulates the traits of many people, identified by an index from 0. */
function createTraits(): {add(person: number, row: UserRow): void; of(person: number): Traits} {
	const models = createCounts();
	const levels = createCounts();
	const languages = createCounts();
	const tiers = new Map<string, string>();
	return {
		add(
			person,
			{primary_model: model, primary_model_tier: tier, delegation_level: level, languages: spoken},
		) {
			if (model) models.add(person, model);
			if (model && tier && (tiers.has(model) || tiers.size < maxWords)) tiers.set(model, tier);
			if (level) levels.add(person, level);
			for (const language of spoken ?? []) languages.add(person, language);
		},
		of: person => ({
			models: models.of(person),
			levels: levels.of(person),
			languages: new Set(languages.of(person).keys()),
			tiers,
		}),
	};
}

/** Counts of each person's words. Words are kept once, since people share them. */
function createCounts() {
	const words: string[] = [];
	const indexOf = new Map<string, number>();
	const counts: number[][] = [];
	return {
		add(person: number, word: string): void {
			const index = indexOf.get(word) ?? words.length;
			if (index >= maxWords) return;
			if (index === words.length) indexOf.set(word, words.push(word) - 1);
			const personCounts = counts[person] ?? [];
			counts[person] = personCounts;
			personCounts[index] = (personCounts[index] ?? 0) + 1;
		},
		of(person: number): Map<string, number> {
			const byWord = new Map<string, number>();
			counts[person]?.forEach((count, index) => void byWord.set(words[index] as string, count));
			return byWord;
		},
	};
}

type PersonValue = string | number | undefined;

const fields = {
	user_id: ({people}, index) => people[index]?.userId,
	user_email: ({people}, index) => people[index]?.email,
	autonomy_ratio: (people, index) => people.autonomy(index),
	active_days: ({people}, index) => people[index]?.activeDays,
	last_day: ({people}, index) => people[index]?.lastDay,
	primary_model: primaryModel,
	primary_model_tier: (people, index) => people.traits(index).tiers.get(primaryModel(people, index) ?? ''),
	delegation_level: (people, index) => mostFrequent(people.traits(index).levels),
	languages: (people, index) => [...people.traits(index).languages].join(' ') || undefined,
} as const satisfies Record<string, (people: People, index: number) => PersonValue>;

/** A figure or text about a person over a range, by its name in exports. Columns and sort orders use these too. */
export type PersonField = PersonMeasure | keyof typeof fields;

/** The fields of a user's activity in the Users view. */
export type ActivityField = Extract<PersonField, 'last_day' | 'active_days' | 'billable_tokens' | 'sessions'>;

/** The figures of a person, in their order on the person's page and in exports. */
export const personFigures = [...personMeasures, 'autonomy_ratio'] as const;

/** Undefined if unknown. */
export function personValue(people: People, index: number, field: PersonField): PersonValue {
	return isMeasure(field) ? people.total(index, field) : fields[field](people, index);
}

function isMeasure(field: PersonField): field is PersonMeasure {
	return !Object.hasOwn(fields, field);
}

function primaryModel(people: People, index: number): string | undefined {
	return mostFrequent(people.traits(index).models);
}

/** The first of the most frequent names. */
function mostFrequent(counts: ReadonlyMap<string, number>): string | undefined {
	return [...counts].sort(([, a], [, b]) => b - a)[0]?.[0];
}
