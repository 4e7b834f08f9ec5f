import {expect, test} from 'vitest';
import type {Service} from '../../src/api/service.ts';
import {offerToContinue} from '../../src/app/cut-off.ts';
import {setView} from '../../src/state/view/view.ts';
import {appParts} from '../support/app-parts.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {noon} from '../support/fleet.ts';
import {has, openScreen} from '../support/screen.tsx';

function open() {
	const clock = fakeClock(noon);
	const answers: boolean[] = [];
	const runningService = {
		async settleCutOff(continues: boolean) {
			answers.push(continues);
			return ['s1', 's2', 's3'];
		},
	};
	const parts = appParts(clock, {service: {runningService} as unknown as Service});
	const screen = openScreen(parts, 120, 40);
	return {parts, clock, screen, answers};
}

test.each([
	['\r', true, '3 sessions continued'],
	['n', false, ''],
	['\x1b', false, ''],
])('sessions that were cut off continue or not: %j', async (key, continues, told) => {
	const {parts, clock, screen, answers} = open();
	offerToContinue(parts, 3, false);
	offerToContinue(parts, 3, false);
	await screen.until(has('3 sessions were at work when the service ended'));
	await screen.press('\r');
	expect(answers).toEqual([]);
	await clock.advance(500);
	await screen.until(has('yes'));
	await screen.press(key);
	await screen.until(has(told));
	expect(answers).toEqual([continues]);
	expect(parts.view.getState().dialogs).toEqual([]);
});

test('a user who writes meanwhile is told without a question', () => {
	const {parts, answers} = open();
	setView(parts.view, view => ({...view, isFiltering: true}));
	offerToContinue(parts, 1, true);
	expect(parts.stores.notices.getState().list.at(-1)?.text).toMatch(
		/^1 session was at work .*--interrupted$/,
	);
	expect(parts.view.getState().dialogs).toEqual([]);
	expect(answers).toEqual([]);
});
