import {expect, test} from 'vitest';
import {temporaryFolder} from '../../support/local-service.ts';
import {watchDay} from '../../support/watched-day.ts';

/** A small part of the day that soak W1 simulates in full. */
test('watches 60 sessions within the request budget, even through a storm of rate limits', async () => {
	const report = await watchDay({folder: temporaryFolder(), sessions: 60, hours: 1 / 2, stormMinutes: 5});
	expect(report.mostInMinute).toBeLessThanOrEqual(report.allowedInMinute);
	expect(report.mostInTenMinutes).toBeLessThanOrEqual(report.allowedInTenMinutes);
	expect(report.firstContact).toBeLessThanOrEqual(report.allowedFirstContact);
	expect(report.worstAge).toBeLessThanOrEqual(report.allowedAge);
	expect(report.worstOpenAge).toBeLessThanOrEqual(15_000);
	expect(report.archivedRequests).toBe(0);
	expect(report.unseen).toBe(0);
});
