import {expect, test} from 'vitest';
import {createPeerEventSync} from '../../../../src/sync/hooks/peer-event-sync.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {hookEvent} from '../../../support/hook-event.ts';

/** What others kept comes one event a read, and never ends. */
function endless() {
	const clock = fakeClock();
	const reported: string[] = [];
	let reads = 0;
	const inbox = {readPeerEvents: () => ({events: [hookEvent({id: `event-${++reads}`})], isAll: false})};
	const others = createPeerEventSync(inbox, clock, events => reported.push(...events.map(({id}) => id)));
	return {clock, reported, others};
}

test('reads many events a little at a time, however often it is called', async () => {
	const {clock, reported, others} = endless();
	others.sync();
	others.sync();
	expect(reported).toEqual(['event-1']);
	await clock.advance(32);
	expect(reported).toEqual(['event-1', 'event-2', 'event-3']);
	others.stop();
});

test('reads nothing after stop(), even if called: the database may be closed by then', async () => {
	const {clock, reported, others} = endless();
	others.sync();
	others.stop();
	others.sync();
	await clock.advance(1_000);
	expect([reported, clock.pending]).toEqual([['event-1'], 0]);
});
