import {expect, onTestFinished, test} from 'vitest';
import {startCrowd, startCrowdService} from '../../../support/computer-crowd.ts';
import {eventually} from '../../../support/eventually.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

/** A hundred of them are in the soak. */
const names = Array.from({length: 12}, (_, index) => `c-${index}`);

test("slow answers for many computers don't hold up the open session", async () => {
	const {service, counts, reads, holdUntil} = await startCrowdService();
	let release = () => {};
	holdUntil(new Promise(resolve => (release = resolve)));
	const clock = fakeClock();
	/** Lets time go by until then. */
	const until = (isReady: () => boolean) =>
		eventually(async () => {
			await clock.advance(100);
			expect(isReady()).toBe(true);
		});
	const {engine} = await startCrowd(names, service, clock);
	onTestFinished(engine.sessions.open('s'));
	engine.sessions.focus('s');
	await until(() => counts.listings >= 3);
	expect([...reads.keys()]).toEqual(['messages']);
	expect(counts.inFlight).toBeGreaterThanOrEqual(3);
	expect(counts.inFlight).toBeLessThanOrEqual(4);
	release();
	await until(() => reads.size > names.length);
	expect(counts.max).toBeLessThanOrEqual(4);
});
