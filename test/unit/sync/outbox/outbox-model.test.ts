import fc from 'fast-check';
import {test} from 'vitest';
import {outboxModel} from '../../../support/outbox-model.ts';

/** The long set, a million steps, is part of `npm run soak`. */
const numRuns = 25;

test('nothing is lost, nothing is posted twice unasked, order is kept, every row ends in an honest state', async () => {
	await fc.assert(outboxModel(), {numRuns});
});
