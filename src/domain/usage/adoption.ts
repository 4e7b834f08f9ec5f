import type {ActivityRow} from '../organization/analytics.ts';
import {type DayRange, wholeMonthlyFrom, wholeWeeklyFrom} from './range.ts';
import {createDaySeries, type DaySeries, latestOf, meanOf, seriesOf, totalOf} from './series.ts';

/** Active users by day. Never summed: a user active on two days is one user. */
export type Adoption = ReturnType<typeof adoptionOf>;

type ClientUse = {
	readonly client: string;
	readonly meanDaily: number;
	/** Fraction of the mean of all daily users on the same days. */
	readonly share: number | undefined;
};

export function adoptionOf(rows: Iterable<ActivityRow>, range: DayRange) {
	const days = [...rows];
	const from = (first: string, pick: (row: ActivityRow) => number | undefined) =>
		seriesOf(days, range, row => (row.date < first ? undefined : pick(row)));
	const daily = seriesOf(days, range, row => row.daily_active_users);
	const weekly = from(wholeWeeklyFrom, row => row.weekly_active_users);
	const monthly = from(wholeMonthlyFrom, row => row.monthly_active_users);
	const stickiness = from(wholeMonthlyFrom, row =>
		row.daily_active_users !== undefined && row.monthly_active_users
			? row.daily_active_users / row.monthly_active_users
			: undefined,
	);
	return {
		daily,
		/** Unknown before the first full week of the history, whatever the service reports for those days. */
		weekly,
		monthly,
		/** Daily divided by monthly active users of the same day, 0 to 1. */
		stickiness,
		latest: {
			weekly: latestOf(weekly),
			monthly: latestOf(monthly),
			stickiness: latestOf(stickiness),
		},
		/** Mean of the known days. */
		meanDaily: meanOf(daily),
		/**
		 * By mean daily users, largest first. A user of two clients counts in both, so they may sum to more than
		 * `daily`.
		 */
		clients: clientsOf(days, range),
		sessions: seriesOf(days, range, row => row.sessions),
		messages: seriesOf(days, range, row => row.messages),
		userMessages: seriesOf(days, range, row => row.user_messages),
	};
}

/** A day with a client breakdown lists all its clients: one that is not listed had no users. */
function clientsOf(rows: readonly ActivityRow[], range: DayRange): ClientUse[] {
	const withClients = rows.filter(row => row.daily_active_users_by_client !== undefined);
	const names = new Set(withClients.flatMap(row => Object.keys(row.daily_active_users_by_client ?? {})));
	const series = new Map<string, DaySeries>([...names].map(name => [name, createDaySeries(range)]));
	for (const {date, daily_active_users_by_client: byClient = {}} of withClients)
		for (const [name, trend] of series) trend.set(date, Object.hasOwn(byClient, name) ? byClient[name] : 0);
	const daily = totalOf(seriesOf(withClients, range, row => row.daily_active_users));
	const mean = daily.sum === undefined ? undefined : daily.sum / daily.known;
	return [...series]
		.map(([client, days]) => {
			const meanDaily = meanOf(days.points()) ?? 0;
			return {client, meanDaily, share: mean ? meanDaily / mean : undefined};
		})
		.sort((a, b) => b.meanDaily - a.meanDaily || (a.client < b.client ? -1 : 1));
}
