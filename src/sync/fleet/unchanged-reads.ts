import type {Clock} from '../../domain/clock.ts';
import type {Registry} from './registry.ts';

/** By how much the displayed age of a computer may be wrong while it is being provisioned, and later, ms. */
const reportIntervals = {waiting: 5_000, settled: 60_000} as const;

/** Records that a computer was read now and is unchanged. `isWaiting`: its provisioning is under way. */
export type RecordUnchanged = (computerId: string, isWaiting: boolean) => void;

/** Batches reads of computers that found nothing new: one store update and one write for all of them. */
export function batchUnchangedReads(registry: Registry, clock: Clock): RecordUnchanged {
	const readAt = new Map<string, number>();
	let reportedAt = Number.NEGATIVE_INFINITY;
	return (computerId, isWaiting) => {
		const now = clock.now();
		const {fetchedAt = 0} = registry.computer(computerId) ?? {};
		if (now - fetchedAt < (isWaiting ? reportIntervals.waiting : reportIntervals.settled)) return;
		readAt.set(computerId, now);
		if (now - reportedAt < reportIntervals.waiting) return;
		reportedAt = now;
		registry.updateReadTimes(readAt);
		readAt.clear();
	};
}
