import {expect, test} from 'vitest';
import {runKillRounds} from '../support/kill-rounds.ts';

test('kill -9 of screen, service, agent or hook leaves no orphan, late approval or false state', async () => {
	const failures: string[] = [];
	await runKillRounds(1, what => failures.push(what));
	expect(failures).toEqual([]);
}, 180_000);
