import type {ActivityRow} from '../organization/analytics.ts';
import type {DayRange} from './range.ts';
import {meanOf, seriesOf} from './series.ts';

type ClientUse = {
	readonly client: string;
	/** Active users of this client, mean of the known days. Never summed: a user active on two days is one user. */
	readonly meanDaily: number;
	/** Fraction of the mean of all daily users on the same days. */
	readonly share: number | undefined;
};

/**
 * Clients by mean daily users, largest first. A user of two clients counts in both. A day with a breakdown lists all its
 * clients: one that is not listed had no users.
 */
export function clientsOf(rows: readonly ActivityRow[], range: DayRange): readonly ClientUse[] {
	const withClients = rows.filter(row => row.daily_active_users_by_client !== undefined);
	const names = new Set(withClients.flatMap(row => Object.keys(row.daily_active_users_by_client ?? {})));
	const mean = meanOf(seriesOf(withClients, range, row => row.daily_active_users));
	return [...names]
		.map(client => {
			const countOf = ({daily_active_users_by_client: clients = {}}: ActivityRow) =>
				Object.hasOwn(clients, client) ? clients[client] : 0;
			const meanDaily = meanOf(seriesOf(withClients, range, countOf)) ?? 0;
			return {client, meanDaily, share: mean ? meanDaily / mean : undefined};
		})
		.sort((a, b) => b.meanDaily - a.meanDaily || (a.client < b.client ? -1 : 1));
}
