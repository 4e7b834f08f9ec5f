import type {UserRow} from '../analytics.ts';
import {createCountTable} from './count-table.ts';

/** What words a person's days were described with. */
export type Traits = {
	/** Days on which each was the primary one. */
	readonly models: ReadonlyMap<string, number>;
	readonly levels: ReadonlyMap<string, number>;
	readonly languages: ReadonlySet<string>;
	/** Tier of a model, as it was told last of anyone. */
	readonly tiers: ReadonlyMap<string, string>;
};

/** The traits of many people: a few words that all of them share, and a count for each that someone has. */
export type TraitsBuilder = {
	/** Adds a day of a person, who is named by an index from 0. */
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

/** Words of one kind that are kept: there are tens of models, levels and languages. */
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
