import {expect, test} from 'vitest';
import {numbers, readFrom} from '../../../support/endless-organization.ts';
import type {Reply} from '../../../support/fault-server.ts';
import {json} from '../../../support/replies.ts';

test('reads about twice as many rows of an endless list of users as the activity suggests', async () => {
	const reply: Reply = (response, request) => {
		if (!request.path.endsWith('/users')) {
			const data = ['2026-01-14', '2026-01-15', '2026-01-16'].map(date => ({date, daily_active_users: 100}));
			return json({data, meta: {}})(response, request);
		}
		const from = Number(request.query.cursor ?? 0);
		const data = numbers(from, 100).map(number => ({
			user_id: `user-${number}`,
			date: request.query.startDate,
			sessions: 1,
		}));
		return json({data, meta: {has_more: true, next_cursor: String(from + 100)}})(response, request);
	};
	const {count, note} = await readFrom(reply, 'people');
	expect(count).toBe(10_600);
	expect(note).toBe('first 10,600 rows of users read; the service has more');
});

test('ends a list whose cursors go in circles, and one that repeats the same items forever', async () => {
	const page = (cursor: string): Reply =>
		json({users: [{id: `after-${cursor}`}], pagination: {hasMore: true, nextCursor: cursor}});
	const round: Reply = (response, request) =>
		page({a: 'b', b: 'c'}[request.query.cursor ?? ''] ?? 'a')(response, request);
	const loop = await readFrom(round, 'users');
	expect(loop).toMatchObject({
		count: 3,
		requests: 4,
		note: expect.stringContaining('repeats a cursor'),
	});
	let asked = 0;
	const same: Reply = (response, request) =>
		json({users: [{id: 'same'}], pagination: {hasMore: true, nextCursor: `${asked++}`}})(response, request);
	const stale = await readFrom(same, 'users');
	expect(stale).toMatchObject({
		count: 1,
		requests: 101,
		note: expect.stringContaining('repeats a cursor'),
	});
});

test('asks for a page that is too large in parts, and ends the list at an item that is too large', async () => {
	const large: Record<number, number> = {3: 7e6, 4: 7e6, 25: 9e6};
	const sizes = numbers(0, 30).map(index => large[index] ?? 1000);
	const reply: Reply = (response, request) => {
		const from = Number(request.query.cursor ?? 0);
		const users = sizes
			.slice(from, from + Number(request.query.limit))
			.map((size, index) => ({id: `u${from + index}`, metadata: {x: 'x'.repeat(size)}}));
		const next = from + users.length;
		const hasMore = next < sizes.length;
		json({users, pagination: {hasMore, nextCursor: hasMore ? String(next) : null}})(response, request);
	};
	const {count, note} = await readFrom(reply, 'users');
	expect(count).toBe(25);
	expect(note).toBe('one item is too large to read: everything after it is missing');
});
