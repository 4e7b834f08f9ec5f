import {done} from '../../../actions/notify.ts';
import {analyticsStart} from '../../../domain/limits.ts';
import {isRealDay} from '../../../domain/time.ts';
import type {DayRange} from '../../../domain/usage/range.ts';
import {setView, withOrganization} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form} from './form.ts';
import {strings} from './strings.ts';

const text = strings.days;

/** Start and end day for usage; both are checked as they are typed. `lastDay` is the last available day. */
export const daysForm =
	(range: DayRange, lastDay: string) =>
	({view}: AppParts): Form => {
		const problemOf = (typed: string) => {
			const day = typed.trim();
			if (!isRealDay(day)) return text.notDate;
			if (day < analyticsStart) return text.tooEarly(analyticsStart);
			return day > lastDay ? text.tooLate(lastDay) : undefined;
		};
		return {
			...text.form,
			fields: () => [
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
			async run({from = '', to = ''}) {
				const range = {startDate: from.trim(), endDate: to.trim()};
				setView(view, now => withOrganization(now, {range, daysBack: 0}));
				return done(undefined);
			},
		};
	};
