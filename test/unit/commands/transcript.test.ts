import {afterEach, expect, test} from 'vitest';
import {openTranscript} from '../../../src/commands/transcript.ts';
import {type FollowerBench, followerBench} from '../../support/follower-bench.ts';

let bench: FollowerBench;
afterEach(() => bench.end());

const {signal} = new AbortController();

function transcript() {
	const {model, database, clock} = bench;
	return openTranscript({
		sessionId: 's',
		service: model.service,
		database,
		clock,
		keep: write => write(),
	});
}

test.each([
	{pages: 'tail', count: 330},
	{pages: 'head', count: 330},
	{pages: 'tail', count: 3},
] as const)('all messages are read, to the very first: $count, $pages first', async ({pages, count}) => {
	bench = followerBench({pages});
	const ids = bench.model.add('s', count);
	const opened = transcript();
	await opened.poll(signal);
	const items = await opened.newest(1000, undefined, signal);
	expect(items.map(({id}) => id)).toEqual(ids);
});

test('a service whose cursors lead back to its first page is left at what it tells', async () => {
	bench = followerBench({pages: 'tail'});
	const ids = bench.model.add('s', 330);
	const {list} = bench.model.service.messages;
	let asked = 0;
	bench.model.service.messages.list = async (id, {cursor, ...query} = {}, options) => {
		if (++asked > 50) throw new Error('It is asked for ever.');
		return {...(await list(id, query, options)), nextCursor: 'back'};
	};
	const opened = transcript();
	await opened.poll(signal);
	const items = await opened.newest(1000, undefined, signal);
	expect(items.map(({id}) => id)).toEqual(ids.slice(-100));
});
