import type {Envelope} from '../../../hooks/wire.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import {eventTime, type HookEvent} from '../../domain/sessions/hook-event.ts';
import type {LocalContext} from '../context.ts';
import {parseQuery} from '../http/fields.ts';
import {get, type Route} from '../http/router.ts';
import {changesQuery} from './changes.ts';

/** Events are served for this long, ms. */
const maxAge = 7 * 24 * 60 * 60_000;

/** What a machine says of its hook events. `now` is the time by its clock, as are the times of the events. */
export type ServedHookEvents = {
	readonly cursor: number;
	readonly now: number;
	readonly events: readonly Envelope[];
};

/** Serves an offer beyond the contract: the hook events of this machine since a cursor, as `changeRoutes` does changes. */
export function hookEventRoutes({hookEvents, closing}: LocalContext): Route[] {
	return [
		get(`${agentRoot}/hook-events`, async ({query}): Promise<ServedHookEvents> => {
			const {after = 0, wait = 0} = parseQuery(changesQuery, query);
			const until = AbortSignal.any([closing, AbortSignal.timeout(wait * 1000)]);
			const {events, position} = await hookEvents.after(after, until);
			const now = Date.now();
			// Events of its own machines are theirs alone to tell.
			const isServed = ({computer, receivedAt}: HookEvent) => !computer && now - receivedAt < maxAge;
			return {cursor: position, now, events: events.filter(isServed).map(toEnvelope)};
		}),
	];
}

function toEnvelope({receivedAt, delivery: _, ...envelope}: HookEvent): Envelope {
	return {...envelope, ts: eventTime({...envelope, receivedAt, delivery: 'socket'})};
}
