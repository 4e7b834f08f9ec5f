import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readWhole, sessionOf} from '../../../support/role-reading.ts';

/** Longer sessions are part M1 of the soak. */
test('gets every role and every filtered list of a session right, whatever its order and pages', async () => {
	await fc.assert(
		fc.asyncProperty(sessionOf(fc.integer({min: 1, max: 300})), async one => {
			for (const reads of await readWhole(one)) {
				expect(reads).toMatchObject({wrong: 0, missing: 0});
				expect(reads.requests).toBeLessThanOrEqual(reads.allowed);
			}
		}),
		{numRuns: 10},
	);
});
