import type {Database} from '../db/database.ts';
import {eventTime, type HookEvent} from '../domain/hook-event.ts';
import {type Alert, reduceSignal, type Signal, signalKey, withClient} from '../domain/signal.ts';
import {replacePredecessor} from '../domain/succession.ts';
import type {Registry} from './registry.ts';

/** What the hook events of one session mean for those who follow it. */
export type HookNews = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** An event as it is kept, and what it means; nothing for one that names no session. */
type Taken = {readonly event: HookEvent; readonly news?: HookNews};

/** So many envelope ids are remembered: a sender that saw no acknowledgement gives its event again. */
const remembered = 5_000;

/**
 * Keeps each hook event once and makes the signal of its session of it (HOOKS.md, Session state from events). Answers
 * those that were not given before. Throws when they can't be kept, so that all of them stay with their senders.
 */
export function createHookInbox(
	database: Database,
	registry: Registry,
	onNews: (news: HookNews) => void,
): (events: readonly HookEvent[]) => readonly HookEvent[] {
	const seen = new Set<string>();

	function take(given: HookEvent): Taken {
		const {signals} = registry.current();
		const event = withClient(given, signals.values());
		const isNew = database.events.add(event);
		const sessionId = event.data.session_id;
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) registry.putSignal(replaced);
		if (!sessionId) return {event};
		const previous = signals.get(signalKey(event.client, sessionId));
		// Another program that shares the database may have kept it first: for this one it is news all the same. One that
		// comes again by the spool has had its say, unless its signal was never kept.
		const isAgain = !isNew && event.delivery === 'spool';
		if (isAgain && previous && eventTime(event) <= previous.lastEventAt)
			return {event, news: {sessionId, event}};
		const {signal, alert} = reduceSignal(previous, event);
		if (signal && signal !== previous) keepSignal(registry, signal);
		return {event, news: {sessionId, event, ...(alert && {alert})}};
	}

	return events => {
		const fresh = [...new Map(events.map(event => [event.id, event])).values()].filter(
			({id}) => !seen.has(id),
		);
		if (fresh.length === 0) return fresh;
		// One transaction and one change: a kill can't leave an event without what it changed, and a flood costs one write
		// to disk and one look at everything known.
		const taken = registry.together(() => database.events.together(() => fresh.map(take)));
		for (const {id} of fresh) seen.add(id);
		if (seen.size > remembered) for (const id of [...seen].slice(0, -remembered / 2)) seen.delete(id);
		for (const {news} of taken) if (news) onNews(news);
		return taken.map(({event}) => event);
	};
}

function keepSignal(registry: Registry, signal: Signal): void {
	registry.addSession(signal.sessionId, 'hook', signal.cwd === undefined ? {} : {cwd: signal.cwd});
	registry.putSignal(signal);
	const at = signal.lastEventAt;
	if (signal.state === 'working') {
		registry.setStatus(signal.sessionId, {value: 'running', source: 'hook', at});
	} else if (signal.state === 'done' || signal.state === 'ended' || signal.state === 'error') {
		registry.setStatus(signal.sessionId, {value: 'idle', source: 'hook', at});
	}
}
