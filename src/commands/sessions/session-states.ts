import type {Database} from '../../db/database.ts';
import type {KnownSession} from '../../domain/known.ts';
import {maskText} from '../../domain/masking.ts';
import {subjectKey} from '../../domain/sessions/attention.ts';
import {expireSignal, signalKey} from '../../domain/sessions/signal.ts';
import type {Fleet} from '../../state/fleet.ts';
import {type SessionItem, sessionItems} from '../../state/sessions/session-items.ts';
import {isUnsure, type SessionState} from '../../state/sessions/session-state.ts';
import {sessionJson} from '../output/json-output.ts';

/** States as the commands name them, in the order of the help. `waiting` is a condition, not a state. */
export const stateNames = ['working', 'your-turn', 'asks', 'failed', 'unsent', 'idle', 'ended'] as const;
type StateName = (typeof stateNames)[number];

const names: Readonly<Record<Exclude<SessionState, 'raw' | 'unknown'>, StateName>> = {
	permission: 'asks',
	input: 'asks',
	error: 'failed',
	unsent: 'unsent',
	'your-turn': 'your-turn',
	working: 'working',
	pending: 'working',
	idle: 'idle',
	done: 'idle',
	ended: 'ended',
};

/** The state of a session as the commands name it, or the service's own word for one that we don't know. */
export function stateName({state, word}: Pick<SessionItem, 'state' | 'word'>): string {
	return state === 'raw' || state === 'unknown' ? (word ?? 'unknown') : names[state];
}

/** The state as shown to people: `working?` or `idle?` if the turn may be over or go on. */
export function shownState(item: SessionItem, now: number): string {
	return isUnsure(item, now) ? `${stateName(item)}?` : stateName(item);
}

export type SessionItems = ReadonlyMap<string, SessionItem>;

type ItemSources = {
	readonly database: Database;
	/** As in the configuration. */
	readonly unreadNeedsYou: boolean;
	readonly now: number;
};

/** Sessions by id, as the screen's lists show them. */
export function itemsOf(
	fleet: Pick<Fleet, 'computers' | 'sessions' | 'signals'> & Partial<Pick<Fleet, 'problems'>>,
	{database, unreadNeedsYou, now}: ItemSources,
): SessionItems {
	const items = database.outbox.all(['accepted', 'unconfirmed', 'failed']);
	const bySession = Map.groupBy(items, ({sessionId}) => sessionId);
	const current = database.attention.all().filter(({until}) => until === undefined || until > now);
	const marks = new Map(current.map(mark => [subjectKey(mark.subject), mark]));
	return new Map(sessionItems(fleet, {bySession}, {marks, unreadNeedsYou}).map(item => [item.id, item]));
}

/** Saved sessions by id. */
export function savedItems(sources: ItemSources): SessionItems {
	const {database, now} = sources;
	const signals = database.events.signals().map(signal => expireSignal(signal, now));
	return itemsOf(
		{
			computers: new Map(database.computers.all().map(known => [known.id, known])),
			sessions: new Map(database.sessions.all().map(known => [known.id, known])),
			signals: new Map(signals.map(signal => [signalKey(signal.client, signal.sessionId), signal])),
		},
		sources,
	);
}

/** What saved sessions are called, by id, as the screen and `sessions list` show them. */
export function savedNames(database: Database, now: number): ReadonlyMap<string, string> {
	const items = savedItems({database, unreadNeedsYou: true, now});
	return new Map([...items.values()].map(({id, name}) => [id, name]));
}

/** A session as JSON, with its state, title and unread messages as the screen's lists show them. */
export function itemJson(known: KnownSession, item: SessionItem | undefined, more: object = {}): object {
	if (!item) return sessionJson(known, more);
	const {activity, source, since, knownAt} = item;
	return sessionJson(known, {
		title: item.name,
		state: stateName(item),
		isAssumed: item.isAssumed,
		needsYou: item.group === 'needs',
		evidence: source === 'activity' ? activity?.evidence : source,
		since,
		knownAt,
		unread: activity?.unread,
		lastWords: lastWords(item),
		activeAt: activity?.at ?? known.session?.updatedAt,
		...more,
	});
}

/** The session's request or question, otherwise the last words said in it; without secrets. */
export function lastWords({reason, activity}: SessionItem): string | undefined {
	const words = reason ?? activity?.words;
	return words === undefined ? undefined : maskText(words);
}
