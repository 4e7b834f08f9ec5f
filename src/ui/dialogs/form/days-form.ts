import {done} from '../../../actions/notify.ts';
import {analyticsStart} from '../../../domain/limits.ts';
import {isRealDay} from '../../../domain/time.ts';
import type {DayRange} from '../../../domain/usage/range.ts';
import {setView, withOrganization} from '../../../state/view/view.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form} from './form.ts';

/** Start and end day for usage; both are checked as they are typed. `lastDay` is the last available day. */
export const daysForm =
	(range: DayRange, lastDay: string) =>
	({view}: AppParts): Form => {
		const problemOf = (typed: string) => {
			const day = typed.trim();
			if (!isRealDay(day)) return 'Not a date: use YYYY-MM-DD';
			if (day < analyticsStart) return `Before ${analyticsStart}, the first day available`;
			return day > lastDay ? `After ${lastDay}, the last day available (UTC)` : undefined;
		};
		return {
			title: 'Date range',
			submit: 'Show',
			fields: () => [
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
					hint: `up to ${lastDay}; compared with the period before it`,
					start: range.endDate,
					check: (to, {from = ''}) =>
						problemOf(to) ??
						(!problemOf(from) && to.trim() < from.trim()
							? `Before ${from.trim()}, the first day`
							: undefined),
				},
			],
			async run({from = '', to = ''}) {
				const range = {startDate: from.trim(), endDate: to.trim()};
				setView(view, now => withOrganization(now, {range, daysBack: 0}));
				return done(undefined);
			},
		};
	};
