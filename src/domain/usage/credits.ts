import type {ModelTokens, TokenRow, UserTokens} from '../organization/analytics.ts';
import {createAttribution, type Part} from './attribution.ts';
import type {DayRange} from './range.ts';
import {createDaySeries, type DayPoint, type DaySeries, finite, totalOf} from './series.ts';

/** Consumption. Billable tokens are standard credits, not money. */
export type Credits = ReturnType<ReturnType<typeof createSums>['done']> & {
	/** The same with input and output tokens as its measure, if tokens were reported and no credits. */
	readonly tokens?: Credits;
};

/** Raw tokens and cost (US dollars, where the agents' clients report it), by the field that reports them. */
const rawMeasures = {
	input: 'input_tokens',
	output: 'output_tokens',
	cacheRead: 'cache_read_tokens',
	cacheWrite: 'cache_write_tokens',
	cost: 'cost_usd',
} as const;
type RawMeasure = keyof typeof rawMeasures;

function byMeasure<T>(pick: (measure: RawMeasure) => T) {
	return Object.fromEntries(
		Object.keys(rawMeasures).map(measure => [measure, pick(measure as RawMeasure)]),
	) as Record<RawMeasure, T>;
}

const modelMeasures = ['input', 'output', 'cost'] as const;
type ModelMeasure = (typeof modelMeasures)[number];

/** Maximum number of models with a daily series: an organization has tens. */
const maxModels = 1000;
/** Maximum number of user-model pairs in total. */
const maxUserModels = 500_000;

/**
 * Computes credits in one pass without retaining rows, so that they can be streamed from disk. Expects one
 * row per day, in order.
 */
export function creditsOf(rows: Iterable<TokenRow>, range: DayRange): Credits {
	const credits = createCredits(range);
	for (const row of rows) credits.add(row);
	return credits.done();
}

/** Incremental version, for callers that pause between rows. Days outside the range are ignored. */
export function createCredits(range: DayRange) {
	const credits = createSums(range);
	let tokens: ReturnType<typeof createSums> | undefined = createSums(range);
	return {
		add(row: TokenRow): void {
			if (row.date < range.startDate || row.date > range.endDate) return;
			credits.add(row);
			if ((row.billable_tokens ?? 0) > 0) tokens = undefined;
			tokens?.add(inTokens(row));
		},
		done(): Credits {
			const counted = tokens?.done();
			return {...credits.done(), ...(counted && (counted.total.sum ?? 0) > 0 && {tokens: counted})};
		},
	};
}

/** The row with its tokens in place of the credits. */
function inTokens({by_model, by_user, ...row}: TokenRow): TokenRow {
	const counted = <Part extends ModelTokens>(part: Part): Part => {
		const [input, output] = [finite(part.input_tokens), finite(part.output_tokens)];
		const {billable_tokens: _, ...rest} = part;
		if (input === undefined && output === undefined) return rest as Part;
		return {...part, billable_tokens: (input ?? 0) + (output ?? 0)};
	};
	return {
		...counted(row),
		...(by_model && {by_model: by_model.map(counted)}),
		...(by_user && {
			by_user: by_user.map(user => ({...counted(user), by_model: user.by_model?.map(counted) ?? []})),
		}),
	};
}

function createSums(range: DayRange) {
	const credits = createDaySeries(range);
	const series = byMeasure(() => createDaySeries(range));
	const models = createAttribution();
	const users = createAttribution();
	const byModel = new Map<string, DaySeries>();
	const tiers = new Map<string, string>();
	const tokens = new Map<string, {[Measure in ModelMeasure]?: number}>();
	const byUser = new Map<string, Map<string, number>>();
	let userModels = 0;

	function addModel(date: string, {model_id: model, ...day}: ModelTokens): void {
		if (!model) return;
		const trend = byModel.get(model);
		if (!trend && byModel.size >= maxModels) return;
		const days = trend ?? createDaySeries(range);
		byModel.set(model, days);
		days.add(date, day.billable_tokens);
		if (day.model_tier) tiers.set(model, day.model_tier);
		const sums = tokens.get(model) ?? {};
		tokens.set(model, sums);
		for (const measure of modelMeasures) {
			const value = finite(day[rawMeasures[measure]]);
			if (value !== undefined) sums[measure] = (sums[measure] ?? 0) + value;
		}
	}

	function addUser({user_id, user_email, by_model: models = []}: UserTokens): void {
		const user = user_id ?? user_email;
		if (!user) return;
		for (const {model_id: model, billable_tokens} of models) {
			const value = finite(billable_tokens);
			if (!model || value === undefined) continue;
			const userCredits = byUser.get(user) ?? new Map<string, number>();
			byUser.set(user, userCredits);
			const before = userCredits.get(model);
			if (before === undefined && ++userModels > maxUserModels) return;
			userCredits.set(model, (before ?? 0) + value);
		}
	}

	return {
		add(row: TokenRow): void {
			const {date} = row;
			const total = finite(row.billable_tokens);
			credits.set(date, total);
			byMeasure(measure => series[measure].set(date, row[rawMeasures[measure]]));
			for (const model of row.by_model ?? []) addModel(date, model);
			for (const user of row.by_user ?? []) addUser(user);
			models.addDay(total, modelParts(row));
			users.addDay(total, userParts(row));
		},
		done() {
			const trend = credits.points();
			const trends = byMeasure(measure => series[measure].points());
			const attributed = models.done();
			return {
				trend,
				total: totalOf(trend),
				...byMeasure(measure => totalOf(trends[measure])),
				models: attributed,
				/** Credits of each model by day, in the order of `models`. */
				modelTrends: new Map<string, DayPoint[]>(
					attributed.entries.flatMap(({key}) => {
						const days = byModel.get(key);
						return days ? [[key, days.points()]] : [];
					}),
				),
				/** Most recently reported tier of each model. */
				modelTiers: tiers as ReadonlyMap<string, string>,
				/** Raw tokens of each model; absent if no day reported them. */
				modelTokens: tokens,
				/** Keys are user ids; labels are email addresses where one was reported. */
				users: users.done(),
				/** Credits by user (same keys as `users`) and model. */
				userModels: byUser as ReadonlyMap<string, ReadonlyMap<string, number>>,
			};
		},
	};
}

/** The model breakdown of a day. */
function modelParts({by_model: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({model_id, billable_tokens}) => ({key: model_id, value: billable_tokens}));
}

/** The user breakdown of a day: by id, or by email if there is no id. */
function userParts({by_user: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({user_id, user_email, billable_tokens}) => ({
		key: user_id ?? user_email,
		label: user_email,
		value: billable_tokens,
	}));
}
