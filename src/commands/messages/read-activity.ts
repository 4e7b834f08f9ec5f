import type {Clock} from '../../domain/clock.ts';
import {routeOf} from '../../domain/known.ts';
import type {Registry} from '../../sync/fleet/registry.ts';
import {ActivityRecorder} from '../../sync/messages/activity-recorder.ts';
import type {CommandContext} from '../cli/context.ts';
import {type Connected, createSafeWrite} from '../cli/registry.ts';
import {openThread} from './open-thread.ts';

type Sources = Pick<Connected, 'database' | 'skew'> & {readonly registry: Registry};

/** Saves what a command has read of a session's messages as its state, as the screen does. */
export function createRecorder({registry, database, skew}: Sources, clock: Clock): ActivityRecorder {
	return new ActivityRecorder({registry, clock, skew, outboxOf: id => database.outbox.ofSession(id)});
}

/** Reads a session's newest messages once for its state. Throws errors of the service. */
export async function readActivity(
	{clock, output, signal}: CommandContext,
	connected: Connected,
	sessionId: string,
): Promise<void> {
	const {service, database, registry} = connected;
	const known = registry.session(sessionId);
	const startedFrom = {activity: known?.activity};
	const safeWrite = createSafeWrite(output.note);
	const computerId = routeOf(known);
	const {update} = openThread({sessionId, service, database, clock, safeWrite, computerId});
	const {reading} = await update(signal);
	createRecorder(connected, clock).record(sessionId, {...reading, startedFrom});
}
