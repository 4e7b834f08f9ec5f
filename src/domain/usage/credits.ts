import type {ModelTokens, TokenRow, UserTokens} from '../organization/analytics.ts';
import {createAttribution} from './breakdowns.ts';
import type {DayRange} from './range.ts';
import {createDaySeries, type DayPoint, type DaySeries, finite, totalOf} from './series.ts';

/** What was used of the measure. Billable tokens are standard credits, not money. */
export type Credits = ReturnType<ReturnType<typeof createSums>['done']> & {
	/** The same with input and output tokens as its measure, if tokens were reported and no credits. */
	readonly tokens?: Credits;
};

/** What a row, or one of its models or users, has of the measure. */
type Measure = (part: ModelTokens) => number | undefined;

/** Raw tokens of a model, and its cost in US dollars, where the agents' clients report it. */
const rawMeasures = ['input_tokens', 'output_tokens', 'cost_usd'] as const;
type RawSums = {[Measure in (typeof rawMeasures)[number]]?: number};

/** Maximum number of models with a daily series: an organization has tens. */
const maxModels = 1000;

/** Computes credits of rows that are all in memory. */
export function creditsOf(rows: Iterable<TokenRow>, range: DayRange): Credits {
	const credits = createCredits(range);
	for (const row of rows) credits.add(row);
	return credits.done();
}

/** Adds up one row per day, keeping none. Days outside the range are ignored. */
export function createCredits(range: DayRange) {
	const credits = createSums(range, part => finite(part.billable_tokens));
	let tokens: ReturnType<typeof createSums> | undefined = createSums(range, tokensOf);
	return {
		add(row: TokenRow): void {
			if (row.date < range.startDate || row.date > range.endDate) return;
			credits.add(row);
			if ((row.billable_tokens ?? 0) > 0) tokens = undefined;
			tokens?.add(row);
		},
		done(): Credits {
			const counted = tokens?.done();
			return {...credits.done(), tokens: counted?.total.sum ? counted : undefined};
		},
	};
}

const tokensOf: Measure = ({input_tokens, output_tokens}) => {
	const [input, output] = [finite(input_tokens), finite(output_tokens)];
	return input === undefined && output === undefined ? undefined : (input ?? 0) + (output ?? 0);
};

function createSums(range: DayRange, measureOf: Measure) {
	const days = createDaySeries(range);
	const models = createAttribution();
	const users = createAttribution();
	const modelDays = new Map<string, DaySeries>();
	const modelTiers = new Map<string, string>();
	const modelTokens = new Map<string, RawSums>();
	const userModels = new Map<string, Map<string, number>>();

	function addModel(date: string, day: ModelTokens): void {
		const {model_id: model, model_tier: tier} = day;
		if (!model) return;
		const known = modelDays.get(model);
		if (!known && modelDays.size >= maxModels) return;
		const series = known ?? createDaySeries(range);
		modelDays.set(model, series);
		series.add(date, measureOf(day));
		if (tier) modelTiers.set(model, tier);
		const sums = modelTokens.get(model) ?? {};
		modelTokens.set(model, sums);
		for (const measure of rawMeasures) {
			const value = finite(day[measure]);
			if (value !== undefined) sums[measure] = (sums[measure] ?? 0) + value;
		}
	}

	function addUser({user_id, user_email, by_model: parts = []}: UserTokens): void {
		const user = user_id ?? user_email;
		if (!user) return;
		for (const part of parts) {
			const {model_id: model} = part;
			const value = measureOf(part);
			if (!model || value === undefined) continue;
			const ofUser = userModels.get(user) ?? new Map<string, number>();
			userModels.set(user, ofUser);
			ofUser.set(model, (ofUser.get(model) ?? 0) + value);
		}
	}

	return {
		add(row: TokenRow): void {
			const {date, by_model, by_user} = row;
			const total = measureOf(row);
			days.set(date, total);
			for (const model of by_model ?? []) addModel(date, model);
			for (const user of by_user ?? []) addUser(user);
			models.addDay(
				total,
				by_model?.map(part => ({key: part.model_id, value: measureOf(part)})),
			);
			users.addDay(
				total,
				by_user?.map(part => ({
					key: part.user_id ?? part.user_email,
					label: part.user_email,
					value: measureOf(part),
				})),
			);
		},
		done() {
			const trend = days.points();
			const attributed = models.done();
			return {
				trend,
				total: totalOf(trend),
				models: attributed,
				/** Credits of each model by day, in the order of `models`. */
				modelTrends: new Map<string, DayPoint[]>(
					attributed.entries.flatMap(({key}) => {
						const points = modelDays.get(key)?.points();
						return points ? [[key, points]] : [];
					}),
				),
				/** Most recently reported tier of each model. */
				modelTiers: modelTiers as ReadonlyMap<string, string>,
				/** Raw tokens of each model; absent if no day reported them. */
				modelTokens: modelTokens as ReadonlyMap<string, Readonly<RawSums>>,
				/** Keys are user ids, or emails without one; labels are emails where one was reported. */
				users: users.done(),
				/** Credits by user (same keys as `users`) and model. */
				userModels: userModels as ReadonlyMap<string, ReadonlyMap<string, number>>,
			};
		},
	};
}
