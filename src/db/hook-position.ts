import {isOfComputer} from '../domain/known.ts';
import {type Signal, signalKey} from '../domain/sessions/signal.ts';
import type {Database} from './database.ts';

/** Setting of an account's database: position of the last of the machine's hook events it has processed. */
export const hookPositionSetting = 'hooks.place';

export function storedHookPosition({settings}: Pick<Database, 'settings'>): number | undefined {
	const stored = settings.get(hookPositionSetting);
	return typeof stored === 'number' ? stored : undefined;
}

/** Adds the sessions whose hook events arrived while this account was not open. */
export function addHookSessions(
	own: Pick<Database, 'settings' | 'sessions' | 'events'>,
	events: Database['events'],
	now: number,
): void {
	const newest = events.newestPosition();
	const position = storedHookPosition(own) ?? 0;
	if (position === newest) return;
	// A recreated file restarts its positions, so read it from the beginning.
	const changedSessions = new Set(events.sessionsSince(position < newest ? position : 0));
	own.events.together(() => {
		for (const signal of events.signals())
			if (changedSessions.has(signalKey(signal.client, signal.sessionId))) addSession(own, signal, now);
		own.settings.put(hookPositionSetting, newest);
	});
}

function addSession({sessions}: Pick<Database, 'sessions'>, signal: Signal, now: number): void {
	const before = sessions.get(signal.sessionId);
	const {computer} = signal;
	if (!isOfComputer(before, computer)) return;
	sessions.put({
		...(before ?? {id: signal.sessionId, origin: 'hook', addedAt: now}),
		...(computer && {computerId: computer.id}),
		cwd: signal.cwd ?? before?.cwd,
	});
}
