import {expect, test} from 'vitest';
import {runKillRounds} from '../support/kill-rounds.ts';

test('kill -9 of the screen, the service, the agent and the hook leaves no orphan, no late approval and no false state', async () => {
	const failures: string[] = [];
	await runKillRounds(5, what => failures.push(what));
	expect(failures).toEqual([]);
}, 180_000);
