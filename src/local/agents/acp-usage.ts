import {z} from 'zod';
import type {TurnUsage} from './agent-session.ts';

const count = z.number().nonnegative().catch(0);
const tokens = z.object({inputTokens: count, outputTokens: count, cachedReadTokens: count.optional()});
/** Gemini's own format, which lists tokens by model. */
const quota = z.object({input_tokens: count, output_tokens: count}).transform(counts => ({
	inputTokens: counts.input_tokens,
	outputTokens: counts.output_tokens,
}));

/** The end of a turn over the Agent Client Protocol, with its tokens. */
export const promptResult = z.object({
	stopReason: z.string(),
	usage: tokens.nullish().catch(undefined),
	_meta: z
		.object({
			quota: z.object({
				token_count: quota,
				model_usage: z
					.array(z.object({model: z.string().max(200), token_count: quota}))
					.catch([])
					.default([]),
			}),
		})
		.nullish()
		.catch(undefined),
});

type Counts = z.infer<typeof tokens> & {readonly model?: string | undefined};

/** The tokens of a turn, by model if the client lists several. `cost` (US dollars) goes to the first. */
export function usagesOf(
	{usage, _meta}: z.infer<typeof promptResult>,
	model: string | undefined,
	cost: number,
): TurnUsage[] {
	return countsOf().map(({model, inputTokens, outputTokens, cachedReadTokens = 0}, index) => ({
		model,
		inputTokens,
		outputTokens,
		cacheReadTokens: cachedReadTokens,
		cacheWriteTokens: 0,
		...(cost > 0 && index === 0 && {cost}),
	}));

	function countsOf(): Counts[] {
		if (usage) return [{...usage, model}];
		if (!_meta) return [];
		const {token_count: total, model_usage: parts} = _meta.quota;
		const sum = (field: keyof typeof total) => parts.reduce((all, part) => all + part.token_count[field], 0);
		const isComplete = sum('inputTokens') === total.inputTokens && sum('outputTokens') === total.outputTokens;
		return isComplete ? parts.map(part => ({...part.token_count, model: part.model})) : [{...total, model}];
	}
}
