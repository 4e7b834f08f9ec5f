import type {Database} from '../db/database.ts';
import type {HookEvent} from '../domain/hook-event.ts';
import {type Alert, reduceSignal, type Signal, signalKey} from '../domain/signal.ts';
import {replacePredecessor} from '../domain/succession.ts';
import type {FleetStore} from '../state/fleet.ts';
import type {Registry} from './registry.ts';

/** What the hook events of one session mean for those who follow it. */
export type HookNews = {readonly sessionId: string; readonly event: HookEvent; readonly alert?: Alert};

/** So many envelope ids are remembered: a sender that saw no acknowledgement gives its event again. */
const remembered = 5_000;

/**
 * Keeps each hook event once and makes the signal of its session of it (HOOKS.md, Session state from events). Throws
 * when the event can't be kept, so that it stays with its sender; answers false for one that was given before.
 */
export function createHookInbox(
	database: Database,
	fleet: FleetStore,
	registry: Registry,
	onNews: (news: HookNews) => void,
): (event: HookEvent) => boolean {
	const seen = new Set<string>();
	return event => {
		if (seen.has(event.id)) return false;
		// Another program that shares the database may have kept it first: for this one it is news all the same.
		database.events.add(event);
		seen.add(event.id);
		if (seen.size > remembered) for (const id of [...seen].slice(0, remembered / 2)) seen.delete(id);
		const {signals} = fleet.getState();
		const sessionId = event.data.session_id;
		const replaced = replacePredecessor(signals.values(), event);
		if (replaced) registry.putSignal(replaced);
		if (!sessionId) return true;
		const previous = signals.get(signalKey(event.client, sessionId));
		const {signal, alert} = reduceSignal(previous, event);
		if (signal && signal !== previous) keepSignal(registry, signal);
		onNews({sessionId, event, ...(alert && {alert})});
		return true;
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
