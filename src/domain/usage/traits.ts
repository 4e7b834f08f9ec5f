import type {UserRow} from '../organization/analytics.ts';

/** Categorical values of a person's days. */
export type Traits = {
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
export function createTraits(): {add(person: number, row: UserRow): void; of(person: number): Traits} {
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
