import type {ModelTokens, TokenRow, UserTokens} from '../organization/analytics.ts';
import {type Attribution, createAttribution, type Part} from './attribution.ts';
import type {DayRange} from './range.ts';
import {createDaySeries, type DayPoint, type DaySeries, known, type Total, totalOf} from './series.ts';

/** Consumption. Billable tokens are standard credits, not money. */
export type Credits = {
	readonly trend: readonly DayPoint[];
	readonly total: Total;
	readonly input: Total;
	readonly output: Total;
	readonly cacheRead: Total;
	readonly cacheWrite: Total;
	/** US dollars, where the agents' clients report them. */
	readonly cost: Total;
	/** Raw tokens by day. */
	readonly trends: Readonly<
		Record<'input' | 'output' | 'cacheRead' | 'cacheWrite' | 'cost', readonly DayPoint[]>
	>;
	readonly models: Attribution;
	/** Credits of each model by day, in the order of `models`. */
	readonly modelTrends: ReadonlyMap<string, readonly DayPoint[]>;
	/** Most recently reported tier of each model. */
	readonly modelTiers: ReadonlyMap<string, string>;
	/** Raw tokens of each model. */
	readonly modelTokens: ReadonlyMap<string, ModelSums>;
	/** Keys are user ids; labels are email addresses where one was reported. */
	readonly users: Attribution;
	/** Credits by user (same keys as `users`) and model. */
	readonly userModels: ReadonlyMap<string, ReadonlyMap<string, number>>;
	/** The same with input and output tokens as its measure, if tokens were reported and no credits. */
	readonly tokens?: Credits;
};

/** Raw tokens and cost (US dollars) of a model; absent if no day reported them. */
export type ModelSums = {readonly input?: number; readonly output?: number; readonly cost?: number};

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

type CreditsBuilder = {add(row: TokenRow): void; done(): Credits};

/** Incremental version, for callers that pause between rows. Days outside the range are ignored. */
export function createCredits(range: DayRange): CreditsBuilder {
	const credits = createSums(range);
	let tokens: CreditsBuilder | undefined = createSums(range);
	return {
		add(row) {
			if (row.date < range.startDate || row.date > range.endDate) return;
			credits.add(row);
			if ((row.billable_tokens ?? 0) > 0) tokens = undefined;
			tokens?.add(inTokens(row));
		},
		done() {
			const counted = tokens?.done();
			return {...credits.done(), ...(counted && (counted.total.sum ?? 0) > 0 && {tokens: counted})};
		},
	};
}

/** The row with its tokens in place of the credits. */
function inTokens({by_model, by_user, ...row}: TokenRow): TokenRow {
	const counted = <Part extends ModelTokens>(part: Part): Part => {
		const [input, output] = [known(part.input_tokens), known(part.output_tokens)];
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

function createSums(range: DayRange): CreditsBuilder {
	const series = {
		credits: createDaySeries(range),
		input: createDaySeries(range),
		output: createDaySeries(range),
		cacheRead: createDaySeries(range),
		cacheWrite: createDaySeries(range),
		cost: createDaySeries(range),
	};
	const models = createAttribution();
	const users = createAttribution();
	const byModel = new Map<string, DaySeries>();
	const tiers = new Map<string, string>();
	const tokens = new Map<string, {input?: number; output?: number; cost?: number}>();
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
		const [input, output] = [known(day.input_tokens), known(day.output_tokens)];
		if (input !== undefined) sums.input = (sums.input ?? 0) + input;
		if (output !== undefined) sums.output = (sums.output ?? 0) + output;
		const cost = known(day.cost_usd);
		if (cost !== undefined) sums.cost = (sums.cost ?? 0) + cost;
	}

	function addUser({user_id, user_email, by_model: models = []}: UserTokens): void {
		const user = user_id ?? user_email;
		if (!user) return;
		for (const {model_id: model, billable_tokens} of models) {
			const value = known(billable_tokens);
			if (!model || value === undefined) continue;
			const userCredits = byUser.get(user) ?? new Map<string, number>();
			byUser.set(user, userCredits);
			const before = userCredits.get(model);
			if (before === undefined && ++userModels > maxUserModels) return;
			userCredits.set(model, (before ?? 0) + value);
		}
	}

	return {
		add(row) {
			const {date} = row;
			const total = known(row.billable_tokens);
			series.credits.set(date, total);
			series.input.set(date, row.input_tokens);
			series.output.set(date, row.output_tokens);
			series.cacheRead.set(date, row.cache_read_tokens);
			series.cacheWrite.set(date, row.cache_write_tokens);
			series.cost.set(date, row.cost_usd);
			for (const model of row.by_model ?? []) addModel(date, model);
			for (const user of row.by_user ?? []) addUser(user);
			models.addDay(total, modelParts(row));
			users.addDay(total, userParts(row));
		},
		done() {
			const trend = series.credits.points();
			const trends = {
				input: series.input.points(),
				output: series.output.points(),
				cacheRead: series.cacheRead.points(),
				cacheWrite: series.cacheWrite.points(),
				cost: series.cost.points(),
			};
			const attributed = models.done();
			return {
				trend,
				total: totalOf(trend),
				input: totalOf(trends.input),
				output: totalOf(trends.output),
				cacheRead: totalOf(trends.cacheRead),
				cacheWrite: totalOf(trends.cacheWrite),
				cost: totalOf(trends.cost),
				trends,
				models: attributed,
				modelTrends: new Map(
					attributed.entries.flatMap(({key}) => {
						const days = byModel.get(key);
						return days ? [[key, days.points()]] : [];
					}),
				),
				modelTiers: tiers,
				modelTokens: tokens,
				users: users.done(),
				userModels: byUser,
			};
		},
	};
}

/** The model breakdown of a day. */
export function modelParts({by_model: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({model_id, billable_tokens}) => ({key: model_id, value: billable_tokens}));
}

/** The user breakdown of a day: by id, or by email if there is no id. */
export function userParts({by_user: parts}: TokenRow): Part[] | undefined {
	return parts?.map(({user_id, user_email, billable_tokens}) => ({
		key: user_id ?? user_email,
		label: user_email,
		value: billable_tokens,
	}));
}
