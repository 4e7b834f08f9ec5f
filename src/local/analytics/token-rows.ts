import type {TokenRow} from '../../domain/analytics.ts';
import type {User} from '../../domain/user.ts';
import type {StartedCommand} from '../storage/usage.ts';
import {byDay, dayOf} from './days.ts';

/**
 * Rows of `/tokens`. This service can't see how many tokens a model's agent used, so a day with such a run
 * has no row; a day of shell commands alone used none.
 */
export function tokenRows(commands: readonly StartedCommand[], user: User): TokenRow[] {
	return byDay(commands, ({at}) => dayOf(at))
		.filter(([, ofDay]) => ofDay.every(({usesModel}) => !usesModel))
		.map(([date]) => ({
			date,
			billable_tokens: 0,
			input_tokens: 0,
			output_tokens: 0,
			cache_read_tokens: 0,
			cache_write_tokens: 0,
			by_model: [],
			by_user: [{user_id: user.id, user_email: user.email, billable_tokens: 0, by_model: []}],
		}));
}
