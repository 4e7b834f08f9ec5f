import {expect, test} from 'vitest';
import type {KnownComputer} from '../../src/domain/known.ts';
import {timeOfDay} from '../../src/text/values/times.ts';
import {appParts} from '../support/app-parts.ts';
import {type FakeClock, fakeClock} from '../support/fake-clock.ts';
import {fleet, knownComputer, knownSession} from '../support/fleet.ts';
import {openScreen, type Screen} from '../support/screen.tsx';

/** A computer whose first step has run for three seconds; it was read at `fetchedAt`. */
function computer(startedAt: number, fetchedAt: number, isOver = false): KnownComputer {
	const step = {id: 's1', name: 'install dependencies', startedAt};
	return {
		...knownComputer(
			'box',
			{
				status: isOver ? 'active' : 'provisioning',
				provisioningSteps: [
					isOver ? {...step, status: 'done', completedAt: startedAt + 1000} : {...step, status: 'running'},
				],
			},
			startedAt,
		),
		fetchedAt,
	};
}

/** What moves in normal motion: a step, an age of each kind, a poll's latency, a try that is counted down. */
function busyScreen(hasReducedMotion: boolean) {
	const clock = fakeClock();
	const parts = appParts(clock);
	const {stores} = parts;
	const start = clock.now() - 3000;
	const working = knownSession('s', {
		session: {sessionId: 's', title: 'migration'},
		computerId: 'box',
		status: {value: 'running', source: 'updated', at: start},
		readAt: start + 60_000,
	});
	const read = (isOver = false) =>
		stores.fleet.setState(fleet([working], [computer(start, clock.now(), isOver)], []));
	read();
	stores.connection.setState({state: 'polling', okAt: clock.now(), latency: 100, hooks: 'listening'});
	parts.view.setState({page: 'computers'});
	parts.display.setState({hasReducedMotion});
	const screen = openScreen(parts, 120, 40);
	return {clock, parts, stores, screen, read};
}

/** Frames that are drawn in so many seconds; `each` is what happens in one. */
async function framesIn(seconds: number, clock: FakeClock, on: Screen, each = () => {}): Promise<number> {
	// What came with the first frame is drawn.
	await clock.advance(100);
	await on.rows();
	const before = on.written.length;
	for (let second = 0; second < seconds; second++) {
		each();
		await clock.advance(1000);
		await on.rows();
	}
	return on.written.slice(before).filter(text => text.includes('\n')).length;
}

test.each([
	['as usual', false],
	['still', true],
])('a running step is redrawn each second unless motion is reduced: %s', async (_, hasReducedMotion) => {
	const {clock, screen, stores, read} = busyScreen(hasReducedMotion);
	await screen.until(rows => rows.some(row => /install dependencies.*running.* 3s/.test(row)));
	const frames = await framesIn(12, clock, screen, () => {
		// Answers that bring nothing but themselves.
		read();
		stores.connection.setState({okAt: clock.now(), latency: 100 + (clock.now() % 7000)});
	});
	if (hasReducedMotion) expect(frames).toBe(0);
	else expect(frames).toBeGreaterThanOrEqual(12);
	// In a quarter of a minute what stands there is true again.
	await clock.advance(15_000);
	await screen.until(rows => rows.some(row => /install dependencies.*running +(?:18|2\d|30)s/.test(row)));
});

test('news is drawn at once even with reduced motion', async () => {
	const {screen, read} = busyScreen(true);
	await screen.until(rows => rows.some(row => /install dependencies.*running/.test(row)));
	read(true);
	await screen.until(rows => rows.some(row => /install dependencies.*done/.test(row)));
});

test('with reduced motion, the next try is shown as a time of day, not counted down', async () => {
	const {clock, stores, screen} = busyScreen(true);
	const retryAt = clock.now() + 14_000;
	stores.connection.setState({state: 'offline', retryAt});
	await screen.until(rows => rows[0]?.includes(`reconnecting at ${timeOfDay(retryAt)}`) === true);
	expect(await framesIn(10, clock, screen)).toBe(0);
});

test('at rest there is no timer', async () => {
	const clock = fakeClock();
	const parts = appParts(clock);
	parts.stores.fleet.setState(fleet([knownSession('s', {name: 'box'})], [], []));
	parts.stores.connection.setState({state: 'quiet', hooks: 'listening'});
	const screen = openScreen(parts, 120, 40);
	await screen.until(rows => rows.some(row => row.includes('box')));
	await clock.advance(100);
	expect(clock.pending).toBe(0);
});

test('reduced motion can be turned on and off while the program runs', async () => {
	const {clock, parts, screen} = busyScreen(false);
	await screen.rows();
	expect(await framesIn(3, clock, screen)).toBeGreaterThanOrEqual(3);
	parts.display.setState({hasReducedMotion: true});
	await screen.rows();
	await clock.advance(1000);
	expect(await framesIn(10, clock, screen)).toBe(0);
	parts.display.setState({hasReducedMotion: false});
	await screen.rows();
	await clock.advance(15_000);
	expect(await framesIn(3, clock, screen)).toBeGreaterThanOrEqual(3);
});
