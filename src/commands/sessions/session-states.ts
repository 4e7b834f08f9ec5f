import type {Database} from '../../db/database.ts';
import type {KnownSession} from '../../domain/known.ts';
import {maskText} from '../../domain/masking.ts';
import {type AttentionMark, subjectKey} from '../../domain/sessions/attention.ts';
import {expireSignal, signalKey} from '../../domain/sessions/signal.ts';
import type {Fleet} from '../../state/fleet.ts';
import {jsonOf} from '../../state/rows/column.ts';
import {sessionColumns, sessionRow} from '../../state/sessions/session-columns.ts';
import {type SessionItem, sessionItems} from '../../state/sessions/session-items.ts';
import {sessionJson} from '../output/json-output.ts';

export type SessionItems = ReadonlyMap<string, SessionItem>;

export type ItemSources = {
	readonly database: Database;
	/** As in the configuration. */
	readonly unreadNeedsYou: boolean;
	readonly now: number;
	/** Whether nothing answers for the saved computers: what was at work when last read may not be. */
	readonly isServiceGone?: boolean;
};

/** Sessions by id, as the screen's lists show them. */
export function itemsOf(
	fleet: Pick<Fleet, 'computers' | 'sessions' | 'signals'> & Partial<Pick<Fleet, 'problems'>>,
	{database, unreadNeedsYou, now}: ItemSources,
): SessionItems {
	const order = {marks: savedMarks(database, now), unreadNeedsYou};
	return new Map(sessionItems(fleet, savedOutbox(database), order).map(item => [item.id, item]));
}

/** The messages that a session's state depends on. */
export function savedOutbox({outbox}: Database) {
	const items = outbox.all(['accepted', 'unconfirmed', 'failed']);
	return {bySession: Map.groupBy(items, ({sessionId}) => sessionId)};
}

export function savedMarks({attention}: Database, now: number): ReadonlyMap<string, AttentionMark> {
	const current = attention.all().filter(({until}) => until === undefined || until > now);
	return new Map(current.map(mark => [subjectKey(mark.subject), mark]));
}

export function savedItems(sources: ItemSources): SessionItems {
	return itemsOf(savedFleet(sources), sources);
}

export function savedFleet({database, now, isServiceGone}: ItemSources) {
	const signals = database.events.signals().map(signal => expireSignal(signal, now));
	const computers = database.computers.all().map(known => {
		const {computer} = known;
		return isServiceGone && computer ? {...known, computer: {...computer, unreachableSince: now}} : known;
	});
	return {
		computers: new Map(computers.map(known => [known.id, known])),
		sessions: new Map(database.sessions.all().map(known => [known.id, known])),
		signals: new Map(signals.map(signal => [signalKey(signal.client, signal.sessionId), signal])),
	};
}

/** What saved sessions are called, by id, as the screen and `sessions list` show them. */
export function savedNames(database: Database, now: number): ReadonlyMap<string, string> {
	const items = savedItems({database, unreadNeedsYou: true, now});
	return new Map([...items.values()].map(({id, name}) => [id, name]));
}

/** A session as JSON, with our columns and what its state was derived from. */
export function itemJson(known: KnownSession, item: SessionItem | undefined, more: object = {}): object {
	if (!item) return sessionJson(known, more);
	const {activity, source, knownAt} = item;
	return sessionJson(known, {
		...jsonOf(sessionColumns, sessionRow(item)),
		isAssumed: item.isAssumed,
		needsYou: item.group === 'needs',
		evidence: source === 'activity' ? activity?.evidence : source,
		knownAt,
		lastWords: lastWords(item),
		limitedUntil: item.limitedUntil,
		...more,
	});
}

/** The session's request or question, otherwise the last words said in it; without secrets. */
export function lastWords({reason, activity}: SessionItem): string | undefined {
	const words = reason ?? activity?.words;
	return words === undefined ? undefined : maskText(words);
}
