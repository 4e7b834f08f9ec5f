import fc from 'fast-check';
import {test} from 'vitest';
import {outboxModel} from '../../../support/outbox-model.ts';

/** The long set, a million steps, is part of `npm run soak`. */
const numRuns = 40;

test('loses nothing, posts nothing twice unasked, keeps the order and leaves every row in an honest state', async () => {
	await fc.assert(outboxModel(), {numRuns});
});
