import {expect, onTestFinished, test} from 'vitest';
import {systemClock} from '../../../../src/domain/clock.ts';
import {startCrowd, startCrowdService, until} from '../../../support/computer-crowd.ts';

/** A hundred of them are in the soak. */
const names = Array.from({length: 12}, (_, index) => `c-${index}`);

test("slow answers for many computers don't hold up the open session", async () => {
	const {service, counts, reads, holdUntil} = await startCrowdService();
	let release = () => {};
	holdUntil(new Promise(resolve => (release = resolve)));
	const {engine} = await startCrowd(names, service, systemClock);
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
