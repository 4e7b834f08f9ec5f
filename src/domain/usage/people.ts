import type {UserRow} from '../analytics.ts';
import {createNumberGrid} from './number-grid.ts';
import {type DayRange, daysIn} from './range.ts';
import {known} from './series.ts';

/** Measures of a person that may be added up over days. */
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

/** Measures that are kept day by day, for the heat map and a person's page. */
export const dayMeasures = ['billable_tokens', 'sessions', 'user_messages', 'tool_calls'] as const;
export type DayMeasure = (typeof dayMeasures)[number];

export type Person = {
	readonly userId: string;
	/** As it was told last; may never be. */
	readonly email: string | undefined;
	/** Days with any activity, and the last of them. */
	readonly activeDays: number;
	readonly lastDay: string | undefined;
	/** Days on which each was the primary one. */
	readonly models: ReadonlyMap<string, number>;
	readonly levels: ReadonlyMap<string, number>;
	readonly languages: ReadonlySet<string>;
};

/** The users of a range, by day. A person is named by its index, from 0. */
export type People = {
	readonly dates: readonly string[];
	readonly people: readonly Person[];
	/** Absent when no row of the person told it. */
	total(index: number, measure: PersonMeasure): number | undefined;
	/**
	 * What a person came to on a day: zero when others have rows of that day and they have none, absent when the day
	 * itself is unknown or the row doesn't say.
	 */
	value(index: number, measure: DayMeasure, day: number): number | undefined;
	/** Tool calls per user turn: each day's by its user messages. */
	autonomy(index: number): number | undefined;
	/** Rows that came twice, by user and day. */
	readonly repeated: number;
};

type Growing = {-readonly [Key in keyof Person]: Person[Key]} & {
	models: Map<string, number>;
	levels: Map<string, number>;
	languages: Set<string>;
};

/** Adds rows one by one and keeps none of them: 20,000 users over 90 days take about 75 MB. */
export function createPeople(range: DayRange): {add(row: UserRow): void; done(): People} {
	const dates = daysIn(range);
	const dayOf = new Map(dates.map((date, index) => [date, index]));
	const indexOf = new Map<string, number>();
	const people: Growing[] = [];
	const totals = createNumberGrid(personMeasures.length);
	const ratios = createNumberGrid(2);
	const seen = createNumberGrid(dates.length, {isCompact: true});
	// Credits may have fractions and be large; the others are counts that four bytes hold exactly.
	const byDay = dayMeasures.map((_, index) => createNumberGrid(dates.length, {isCompact: index > 0}));
	const knownDays = new Set<number>();
	let repeated = 0;

	function personOf(userId: string): number {
		const found = indexOf.get(userId);
		if (found !== undefined) return found;
		indexOf.set(userId, people.length);
		return (
			people.push({
				userId,
				email: undefined,
				activeDays: 0,
				lastDay: undefined,
				models: new Map(),
				levels: new Map(),
				languages: new Set(),
			}) - 1
		);
	}

	return {
		add(row) {
			const day = row.date === undefined ? undefined : dayOf.get(row.date);
			if (day === undefined || row.date === undefined) return;
			const index = personOf(row.user_id);
			const person = people[index] as Growing;
			if (seen.get(index, day) !== undefined) {
				repeated++;
				return;
			}
			seen.set(index, day, 1);
			knownDays.add(day);
			for (const [column, measure] of personMeasures.entries()) {
				const value = known(row[measure]);
				if (value !== undefined) totals.set(index, column, (totals.get(index, column) ?? 0) + value);
			}
			for (const [column, measure] of dayMeasures.entries()) {
				const value = known(row[measure]);
				if (value !== undefined) byDay[column]?.set(index, day, value);
			}
			const ratio = known(row.autonomy_ratio);
			const turns = known(row.user_messages);
			if (ratio !== undefined && turns !== undefined) {
				ratios.set(index, 0, (ratios.get(index, 0) ?? 0) + ratio * turns);
				ratios.set(index, 1, (ratios.get(index, 1) ?? 0) + turns);
			}
			describe(person, row, row.date);
		},
		done: () => ({
			dates,
			people,
			repeated,
			total: (index, measure) => totals.get(index, personMeasures.indexOf(measure)),
			value(index, measure, day) {
				if (!knownDays.has(day)) return undefined;
				if (seen.get(index, day) === undefined) return 0;
				return byDay[dayMeasures.indexOf(measure)]?.get(index, day);
			},
			autonomy(index) {
				const turns = ratios.get(index, 1);
				return turns ? (ratios.get(index, 0) ?? 0) / turns : undefined;
			},
		}),
	};
}

function describe(person: Growing, row: UserRow, date: string): void {
	if (row.user_email && date >= (person.lastDay ?? '')) person.email = row.user_email;
	else person.email ??= row.user_email;
	if (isActive(row)) {
		person.activeDays++;
		if (date > (person.lastDay ?? '')) person.lastDay = date;
	}
	if (row.primary_model) count(person.models, row.primary_model);
	if (row.delegation_level) count(person.levels, row.delegation_level);
	for (const language of row.languages ?? []) person.languages.add(language);
}

/** A row of zeros is no activity. */
function isActive(row: UserRow): boolean {
	return personMeasures.some(measure => (row[measure] ?? 0) > 0);
}

function count(counts: Map<string, number>, key: string): void {
	counts.set(key, (counts.get(key) ?? 0) + 1);
}
