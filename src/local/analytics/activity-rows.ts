import type {ActivityRow} from '../../domain/analytics.ts';
import type {MessageFact} from '../storage/usage.ts';
import {byDay, dayLength, dayOf} from './days.ts';

/** Source data of `/activity`. Messages reach back 30 days before the range. */
export type ActivityData = {
	readonly messages: readonly MessageFact[];
	readonly sessionStarts: readonly number[];
};

/** Rows of `/activity` for the days of the range with any activity. There is one user. */
export function activityRows({messages, sessionStarts}: ActivityData, from: number): ActivityRow[] {
	const facts = [
		...messages.map(message => ({at: message.at, message})),
		...sessionStarts.map(at => ({at, message: undefined})),
	].filter(({at}) => at >= from);
	const activeDays = new Set(messages.filter(isUsers).map(({at}) => dayOf(at)));
	return byDay(facts, ({at}) => dayOf(at)).map(([date, ofDay]) => {
		const said = ofDay.flatMap(({message}) => message ?? []);
		const users = said.filter(isUsers);
		return {
			date,
			daily_active_users: users.length > 0 ? 1 : 0,
			weekly_active_users: isActiveWithin(activeDays, date, 7),
			monthly_active_users: isActiveWithin(activeDays, date, 30),
			daily_active_users_by_client: Object.fromEntries(clientsOf(users).map(client => [client, 1])),
			sessions: ofDay.length - said.length,
			messages: said.length,
			user_messages: users.length,
		};
	});
}

/** Rows of `/activity` with `group_by=client`, for the clients that identified themselves. */
export function activityRowsByClient({messages}: ActivityData, from: number): ActivityRow[] {
	const users = messages.filter(message => isUsers(message) && message.at >= from);
	return byDay(users, ({at}) => dayOf(at)).flatMap(([date, ofDay]) =>
		clientsOf(ofDay).map(client => ({date, group_key: client, daily_active_users: 1})),
	);
}

function isUsers({role}: MessageFact): boolean {
	return role === 'user';
}

function clientsOf(messages: readonly MessageFact[]): string[] {
	return [...new Set(messages.flatMap(({client}) => client ?? []))].sort();
}

/** 1 when the user was active on that day or the `days - 1` before it. */
function isActiveWithin(active: ReadonlySet<string>, date: string, days: number): number {
	const last = Date.parse(date);
	for (let back = 0; back < days; back++) if (active.has(dayOf(last - back * dayLength))) return 1;
	return 0;
}
