import {done, type Result} from '../../../actions/result.ts';
import {analyticsStart} from '../../../domain/limits.ts';
import {isRealDay} from '../../../domain/time.ts';
import type {FormRequest} from '../../../state/view/dialogs.ts';
import {setView, type ViewStore, withOrganization} from '../../../state/view/view.ts';
import type {FormSpec} from './form-fields.ts';
import type {FormState} from './form-state.ts';
import {strings} from './strings.ts';

type Request = FormRequest & {readonly name: 'days'};

const text = strings.days;

/** The form for a custom date range; both days are checked as they are typed. */
export function daysForm({range, lastDay}: Request): FormSpec {
	const problemOf = (typed: string) => {
		const day = typed.trim();
		if (!isRealDay(day)) return text.notDate;
		if (day < analyticsStart) return text.tooEarly(analyticsStart);
		return day > lastDay ? text.tooLate(lastDay) : undefined;
	};
	return {
		...text.form,
		fields: [
			{name: 'from', ...text.from(analyticsStart), start: range.startDate, check: problemOf},
			{
				name: 'to',
				...text.to(lastDay),
				start: range.endDate,
				check: (to, {from = ''}) =>
					problemOf(to) ??
					(!problemOf(from) && to.trim() < from.trim() ? text.reversed(from.trim()) : undefined),
			},
		],
	};
}

export function submitDays(view: ViewStore, {from = '', to = ''}: FormState['values']): Result<undefined> {
	const range = {startDate: from.trim(), endDate: to.trim()};
	setView(view, now => withOrganization(now, {range, daysBack: 0}));
	return done(undefined);
}
