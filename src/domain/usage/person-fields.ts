import {type People, type PersonMeasure, personMeasures} from './people.ts';

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

const creditPlacesOf = new WeakMap<People, number>();

/** The most decimal places that anyone's credits have, at most 2. Cached: a list of many is often redrawn. */
export function creditPlaces(people: People): number {
	const known = creditPlacesOf.get(people);
	if (known !== undefined) return known;
	let places = 0;
	for (let index = 0; places < 2 && index < people.people.length; index++) {
		const cents = Math.round((people.total(index, 'billable_tokens') ?? 0) * 100);
		if (cents % 100 !== 0) places = Math.max(places, cents % 10 === 0 ? 1 : 2);
	}
	creditPlacesOf.set(people, places);
	return places;
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
