import {expect, test} from 'vitest';
import {fakeClock} from '../../support/fake-clock.ts';
import {json} from '../../support/replies.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();
const now = Date.UTC(2026, 2, 10, 0, 5);
/** Answers by the same clock as ours, unless a test says otherwise. */
const dated = (value: unknown, status = 200, at = now) =>
	json(value, status, {date: new Date(at).toUTCString()});
const data = dated({data: [], meta: {}});
const week = {startDate: '2026-03-03', endDate: '2026-03-09'};
const asked = () => harness.server.requests.map(request => request.query.endDate);

test('steps back one day, once, when yesterday is refused', async () => {
	const {analytics} = harness.client(fakeClock(now));
	harness.server.answer(dated({title: 'today'}, 400), data);
	await analytics.tokens(week);
	harness.server.answer(dated({title: 'today'}, 400), dated({title: 'still'}, 400));
	expect(await errorOf(analytics.tokens(week))).toMatchObject({name: 'RejectedError'});
	expect(asked()).toEqual(['2026-03-09', '2026-03-08', '2026-03-09', '2026-03-08']);
});

test('the later pages of a walk that stepped back keep its range', async () => {
	const {analytics} = harness.client(fakeClock(now));
	harness.server.answer(dated({}, 400), data, data);
	await analytics.users(week);
	await analytics.users({...week, cursor: 'u1'});
	expect(asked()).toEqual(['2026-03-09', '2026-03-08', '2026-03-08']);
});

test("doesn't step back for another day, a single day or another refusal", async () => {
	const {analytics} = harness.client(fakeClock(now));
	harness.server.otherwise(dated({}, 400));
	await errorOf(analytics.tools({...week, endDate: '2026-03-08'}));
	await errorOf(analytics.tools({startDate: '2026-03-09', endDate: '2026-03-09'}));
	harness.server.otherwise(dated({}, 403));
	await errorOf(analytics.tools(week));
	expect(harness.server.requests).toHaveLength(3);
});

test("takes yesterday from the service's clock", async () => {
	const {analytics} = harness.client(fakeClock(now));
	// By the service it is still the day before.
	harness.server.answer(dated({data: []}, 200, now - 600_000));
	await analytics.activity({...week, endDate: '2026-03-08'});
	expect(await errorOf(analytics.activity(week))).toMatchObject({field: 'endDate'});
	// And now a day later than ours.
	harness.server.answer(dated({data: []}, 200, now + 86_400_000), data);
	await analytics.activity({...week, endDate: '2026-03-08'});
	await analytics.activity({...week, endDate: '2026-03-10'});
	expect(asked()).toEqual(['2026-03-08', '2026-03-08', '2026-03-10']);
});
