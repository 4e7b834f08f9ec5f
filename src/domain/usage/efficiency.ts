import type {ActivityRow, ProductivityRow, TokenRow} from '../organization/analytics.ts';
import {filesOf} from './output.ts';
import {type DayRange, daysIn} from './range.ts';
import {ratioOf} from './ratio.ts';

/** Cost of work in credits. Each ratio covers the days on which both sides are known. */
export type Efficiency = ReturnType<typeof efficiencyOf>;

/** A day's consumption, without breakdowns. */
type Consumption = Pick<
	TokenRow,
	'date' | 'billable_tokens' | 'input_tokens' | 'output_tokens' | 'cache_read_tokens'
>;

type EfficiencyRows = {
	readonly tokens: Iterable<Consumption>;
	readonly activity: Iterable<ActivityRow>;
	readonly productivity: Iterable<ProductivityRow>;
};

export function efficiencyOf({tokens, activity, productivity}: EfficiencyRows, range: DayRange) {
	const tokensByDate = new Map<string, Consumption>();
	// Breakdowns can be long: retain only the daily numbers.
	for (const {date, billable_tokens, input_tokens, output_tokens, cache_read_tokens} of tokens)
		tokensByDate.set(date, {date, billable_tokens, input_tokens, output_tokens, cache_read_tokens});
	const activityByDate = new Map([...activity].map(row => [row.date, row]));
	const productivityByDate = new Map([...productivity].map(row => [row.date, row]));
	const days = daysIn(range);
	const credits = (denominatorOn: (date: string) => number | undefined) =>
		ratioOf(
			days.map(date => ({
				numerator: tokensByDate.get(date)?.billable_tokens,
				denominator: denominatorOn(date),
			})),
		);
	const perInput = (field: 'cache_read_tokens' | 'output_tokens') =>
		ratioOf(
			days.map(date => ({
				numerator: tokensByDate.get(date)?.[field],
				denominator: tokensByDate.get(date)?.input_tokens,
			})),
		);
	return {
		creditsPerSession: credits(date => activityByDate.get(date)?.sessions),
		creditsPerUserMessage: credits(date => activityByDate.get(date)?.user_messages),
		creditsPerFile: credits(date => {
			const row = productivityByDate.get(date);
			return row && filesOf(row);
		}),
		creditsPerCommit: credits(date => productivityByDate.get(date)?.git_commits),
		creditsPerPullRequest: credits(date => productivityByDate.get(date)?.git_prs_created),
		/** Tokens read from the prompt cache per input token. */
		cacheReadPerInput: perInput('cache_read_tokens'),
		outputPerInput: perInput('output_tokens'),
	};
}
