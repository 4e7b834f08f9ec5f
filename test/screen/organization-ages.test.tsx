import {expect, onTestFinished, test} from 'vitest';
import {repositoriesOf} from '../../src/domain/organization/readiness.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {has, openScreen} from '../support/screen.tsx';

/** Two repositories, one with a report of 9 seconds before the read, and one of a minute and 40 seconds before it. */
function readiness() {
	const clock = fakeClock(Date.UTC(2026, 10, 28, 7, 44, 13));
	const readAt = clock.now();
	const report = (name: string, age: number) => ({
		reportId: name,
		createdAt: readAt - age * 1000,
		repoUrl: `https://example.org/${name}`,
		report: {lint: {numerator: 1, denominator: 2}},
	});
	const parts = appParts(clock);
	parts.stores.organization.setState({
		readiness: {data: repositoriesOf([report('shop', 9), report('till', 100)]), readAt},
	});
	parts.view.setState({page: 'readiness'});
	const screen = openScreen(parts, 120, 40);
	onTestFinished(() => screen.close());
	return {clock, parts, screen};
}

const rowOf = (lines: readonly string[], name: string) => lines.find(line => line.includes(name)) ?? '';

test('the ages in a list and the age of its read refer to the same moment', async () => {
	const {clock, screen} = readiness();
	const first = await screen.until(has('read 0s ago', 'shop', 'till'));
	expect(rowOf(first, 'example.org/shop')).toMatch(/ 9s /);
	await clock.advance(40_000);
	const later = await screen.until(has('read 40s ago'));
	expect(rowOf(later, 'example.org/shop')).toMatch(/ 49s /);
	expect(rowOf(later, 'example.org/till')).toMatch(/ 2m /);
});
