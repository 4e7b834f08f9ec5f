import {expect, test} from 'vitest';
import {openTranscript} from '../../../../src/commands/messages/transcript.ts';
import {followerBench} from '../../../support/follower-bench.ts';

test.each([
	['user', 'tool'],
	['tool', 'user'],
] as const)("oldest first: a long role=%s doesn't make it reread role=%s", async (long, short) => {
	const bench = followerBench({pages: 'head'});
	try {
		const {model, database, clock} = bench;
		model.add('s', 6_000, long);
		model.add('s', 150, short);
		model.add('s', 50, 'assistant');
		const safeWrite = (write: () => void) => write();
		const transcript = openTranscript({sessionId: 's', service: model.service, database, clock, safeWrite});
		const {items} = await transcript.newest(6_200, new AbortController().signal);
		expect(items.filter(({id, role}) => role !== model.roleOf('s', id))).toEqual([]);
		const requests = (role: string) => model.requests.filter(({query}) => query?.role === role).length;
		// The short one is read to its end, and from there once more when the other one is at its end, too.
		expect([requests(long), requests(short)]).toEqual([60, 3]);
	} finally {
		await bench.end();
	}
});
