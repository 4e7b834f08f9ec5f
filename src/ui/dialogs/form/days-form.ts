import {done, type Result} from '../../../actions/result.ts';
import {analyticsStart} from '../../../domain/limits.ts';
import {isRealDay} from '../../../domain/time.ts';
import {freeRange} from '../../../domain/usage/range.ts';
import type {FormRequest} from '../../../state/dialogs.ts';
import {withOrganization} from '../../../state/view.ts';
import {setView} from '../../set-view.ts';
import type {AppParts} from '../../use-app.ts';
import type {FormSpec} from './form-fields.ts';
import type {FormState} from './form-state.ts';

type Request = FormRequest & {readonly name: 'days'};

/** The form for a custom date range; both days are checked as they are typed. */
export function daysForm({range, lastDay}: Request): FormSpec {
	const problemOf = (typed: string) => {
		const day = typed.trim();
		if (!isRealDay(day)) return 'Not a date: use YYYY-MM-DD';
		if (day < analyticsStart) return `Before ${analyticsStart}, the first day available`;
		return day > lastDay ? `After ${lastDay}, the last day available (UTC)` : undefined;
	};
	return {
		title: 'Date range',
		submit: 'Show',
		fields: [
			{
				name: 'from',
				label: 'From',
				hint: `YYYY-MM-DD, UTC; first available: ${analyticsStart}`,
				start: range.startDate,
				check: problemOf,
			},
			{
				name: 'to',
				label: 'To',
				hint: `up to ${lastDay}; compared with as many days before`,
				start: range.endDate,
				check: (to, {from = ''}) =>
					problemOf(to) ??
					(!problemOf(from) && to.trim() < from.trim() ? `Before ${from.trim()}, the first day` : undefined),
			},
		],
	};
}

export function submitDays(
	{view}: AppParts,
	{lastDay}: Request,
	{from = '', to = ''}: FormState['values'],
): Result<undefined> {
	const checked = freeRange(from.trim(), to.trim(), lastDay);
	if ('problem' in checked) return {isDone: false, what: checked.problem};
	setView(view, now => withOrganization(now, {range: checked.range, back: 0}));
	return done(undefined);
}
