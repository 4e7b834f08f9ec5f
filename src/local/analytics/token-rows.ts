import type {TokenRow} from '../../domain/analytics.ts';
import type {User} from '../../domain/user.ts';
import type {StartedCommand} from '../storage/usage.ts';
import {byDay, dayOf} from './days.ts';

/**
 * Rows of `/tokens`. What a model's agent consumed is not known to this service, so a day on which one ran has no
 * row; a day of shell work alone consumed nothing.
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
