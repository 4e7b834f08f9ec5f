import type {Clock} from '../core/clock.ts';
import type {Registry} from '../fleet/registry.ts';

/** Batches reads of computers that found nothing new: one store update and one write for all of them. */
export type UnchangedReads = {
	/** Records that the computer was read now and is unchanged. */
	note(computerId: string): void;
};

/** Maximum error of a computer's displayed age, ms. */
const reportInterval = 5_000;

/** Uses no timer: recorded reads are applied with a later one. */
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
