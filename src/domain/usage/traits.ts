import type {UserRow} from '../organization/analytics.ts';
import {createCountTable} from './count-table.ts';

/** Categorical values of a person's days. */
export type Traits = {
	/** Number of days on which each was the primary one. */
	readonly models: ReadonlyMap<string, number>;
	readonly levels: ReadonlyMap<string, number>;
	readonly languages: ReadonlySet<string>;
	/** Most recently reported tier of each model, for any person. */
	readonly tiers: ReadonlyMap<string, string>;
};

/** Traits of many people: a shared set of words, and a count for each word a person has. */
export type TraitsBuilder = {
	/** Adds one day of a person, identified by an index from 0. */
	add(person: number, row: UserRow): void;
	of(person: number): Traits;
};

export function createTraitsBuilder(): TraitsBuilder {
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

/** Maximum words of one kind: there are tens of models, levels and languages. */
const maxWords = 1000;

function createCounts() {
	const words = new Map<string, number>();
	const counts = createCountTable();
	return {
		add(person: number, word: string): void {
			if (words.size >= maxWords && !words.has(word)) return;
			const index = words.get(word) ?? words.size;
			words.set(word, index);
			counts.raise(person, index);
		},
		of(person: number): Map<string, number> {
			const own = new Map<string, number>();
			for (const [word, index] of words) {
				const count = counts.get(person, index);
				if (count > 0) own.set(word, count);
			}
			return own;
		},
	};
}
