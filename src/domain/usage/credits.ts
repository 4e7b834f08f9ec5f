import type {TokenRow} from '../analytics.ts';
import {type Attribution, createAttribution, type Part} from './attribution.ts';
import type {DayRange} from './range.ts';
import {createDaySeries, type DayPoint, type DaySeries, known, type Total, totalOf} from './series.ts';

/** What was consumed. Billable tokens are standard credits, not money (SERVICE-NOTES, Analytics). */
export type Credits = {
	readonly trend: readonly DayPoint[];
	readonly total: Total;
	readonly input: Total;
	readonly output: Total;
	readonly cacheRead: Total;
	readonly cacheWrite: Total;
	readonly models: Attribution;
	/** Credits of each model by day, in the order of `models`. */
	readonly modelTrends: ReadonlyMap<string, readonly DayPoint[]>;
	/** Tier of each model, as it was told last. */
	readonly modelTiers: ReadonlyMap<string, string>;
	/** Keys are user ids; labels are e-mails where one was ever told. */
	readonly users: Attribution;
};

/** Reads each row once and keeps none, so that rows may come from disk one by one. One row a day, days in order. */
export function creditsOf(rows: Iterable<TokenRow>, range: DayRange): Credits {
	const credits = createCredits(range);
	for (const row of rows) credits.add(row);
	return credits.done();
}

/** The same row by row, for whoever pauses between them. Days outside the range count for nothing. */
export function createCredits(range: DayRange): {add(row: TokenRow): void; done(): Credits} {
	const series = {
		credits: createDaySeries(range),
		input: createDaySeries(range),
		output: createDaySeries(range),
		cacheRead: createDaySeries(range),
		cacheWrite: createDaySeries(range),
	};
	const models = createAttribution();
	const users = createAttribution();
	const byModel = new Map<string, DaySeries>();
	const tiers = new Map<string, string>();
	return {
		add(row) {
			const {date} = row;
			if (date < range.startDate || date > range.endDate) return;
			const total = known(row.billable_tokens);
			series.credits.set(date, total);
			series.input.set(date, row.input_tokens);
			series.output.set(date, row.output_tokens);
			series.cacheRead.set(date, row.cache_read_tokens);
			series.cacheWrite.set(date, row.cache_write_tokens);
			for (const {model_id: model, model_tier: tier, billable_tokens: value} of row.by_model ?? []) {
				if (!model) continue;
				const trend = byModel.get(model) ?? createDaySeries(range);
				byModel.set(model, trend);
				trend.add(date, value);
				if (tier) tiers.set(model, tier);
			}
			models.addDay(total, modelParts(row));
			users.addDay(total, userParts(row));
		},
		done() {
			const trend = series.credits.points();
			const attributed = models.done();
			return {
				trend,
				total: totalOf(trend),
				input: totalOf(series.input.points()),
				output: totalOf(series.output.points()),
				cacheRead: totalOf(series.cacheRead.points()),
				cacheWrite: totalOf(series.cacheWrite.points()),
				models: attributed,
				modelTrends: new Map(attributed.entries.map(({key}) => [key, byModel.get(key)?.points() ?? []])),
				modelTiers: tiers,
				users: users.done(),
			};
		},
	};
}

/** The models that a day names. */
export function modelParts({by_model: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({model_id, billable_tokens}) => ({key: model_id, value: billable_tokens}));
}

/** The users that a day names: by id, or by e-mail where that is all there is. */
export function userParts({by_user: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({user_id, user_email, billable_tokens}) => ({
		key: user_id ?? user_email,
		label: user_email,
		value: billable_tokens,
	}));
}
