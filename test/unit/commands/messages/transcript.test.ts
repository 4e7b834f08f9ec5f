import {afterEach, expect, test} from 'vitest';
import {boundedMessages} from '../../../../src/commands/messages/messages.ts';
import {openRoleMessages} from '../../../../src/commands/messages/role-messages.ts';
import {openTranscript} from '../../../../src/commands/messages/transcript.ts';
import {type FollowerBench, followerBench} from '../../../support/follower-bench.ts';

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
		safeWrite: write => write(),
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
	const {items, isWhole} = await opened.newest(1000, signal);
	expect(items.map(({id}) => id)).toEqual(ids);
	expect(isWhole).toBe(true);
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
	const {items, isWhole} = await opened.newest(1000, signal);
	expect(items.map(({id}) => id)).toEqual(ids.slice(-100));
	expect(isWhole).toBe(false);
});

test.each(['tail', 'head'] as const)('reading ends where memory does, and says so: %s first', async pages => {
	bench = followerBench({pages});
	const {model, database, clock} = bench;
	const ids = model.add('s', 1200, 'assistant');
	const bounded = boundedMessages(model.service.messages.list, {
		limits: {items: 450, bytes: 1e9},
		onRead: () => {},
	});
	const service = {...model.service, messages: {...model.service.messages, list: bounded.list}};
	const opened = openTranscript({sessionId: 's', service, database, clock, safeWrite: write => write()});
	const {items, isWhole} = await opened.newest(1200, signal);
	const read = pages === 'tail' ? ids.slice(-500) : ids.slice(0, 500);
	expect(items.map(({id}) => id)).toEqual(read);
	expect({isWhole, isCut: bounded.isCut, read: bounded.read}).toEqual({
		isWhole: false,
		isCut: true,
		read: 500,
	});
	// The newest ten are at hand only where the listing begins with them.
	expect((await opened.newest(10, signal)).isWhole).toBe(pages === 'tail');

	bounded.restart();
	const ofRole = openRoleMessages({list: bounded.list, sessionId: 's', role: 'assistant'});
	const listed = await ofRole.newest(1200, signal);
	expect(listed.items.map(({id}) => id)).toEqual(read);
	expect({isWhole: listed.isWhole, isCut: bounded.isCut}).toEqual({isWhole: false, isCut: true});
});
