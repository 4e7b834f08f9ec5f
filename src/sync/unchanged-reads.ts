import type {Clock} from './clock.ts';
import type {Registry} from './registry.ts';

/** Reads of computers that brought nothing new, told together: one change of the store and one write for all of them. */
export type UnchangedReads = {
	/** It was read now, and is as it was. */
	note(computerId: string): void;
};

/** How much older than it is an age may be told, ms. */
const reportInterval = 5_000;

/** Nothing is woken up for it: what was noted is told with a later read. */
export function createUnchangedReads(registry: Registry, clock: Clock): UnchangedReads {
	const readAt = new Map<string, number>();
	let reportedAt = Number.NEGATIVE_INFINITY;
	return {
		note(computerId) {
			const now = clock.now();
			const {fetchedAt = 0} = registry.current().computers.get(computerId) ?? {};
			if (now - fetchedAt < reportInterval) return;
			readAt.set(computerId, now);
			if (now - reportedAt < reportInterval) return;
			reportedAt = now;
			registry.readAgain(readAt);
			readAt.clear();
		},
	};
}
