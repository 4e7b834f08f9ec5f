import {expect, test} from 'vitest';
import {pagesOf, reportsOf, type WalkEnd} from '../../../src/api/pages.ts';
import type {ReportPage} from '../../../src/api/readiness.ts';
import type {User} from '../../../src/domain/organization/user.ts';
import {json} from '../../support/replies.ts';
import {errorOf, setUpHarness} from './harness.ts';

const harness = setUpHarness();

async function walk<Page>(pages: AsyncGenerator<Page, WalkEnd>): Promise<{pages: Page[]; end: WalkEnd}> {
	const taken: Page[] = [];
	for (;;) {
		const next = await pages.next();
		if (next.done) return {pages: taken, end: next.value};
		taken.push(next.value);
	}
}

const page = (ids: string[], hasMore: boolean, nextCursor?: unknown) =>
	json({users: ids.map(id => ({id})), pagination: {hasMore, nextCursor}});
const idsOf = (pages: {items: readonly User[]}[]) => pages.flatMap(({items}) => items.map(user => user.id));

test('walks a list to its end and keeps its query', async () => {
	harness.server.answer(page(['a'], true, 'one'), page([], true, 'two'), page(['b'], false, null));
	const {pages, end} = await walk(pagesOf(harness.service.users.list, {limit: 1}));
	expect([idsOf(pages), end]).toEqual([['a', 'b'], 'end']);
	expect(harness.server.requests.map(request => request.query)).toEqual([
		{limit: '1'},
		{limit: '1', cursor: 'one'},
		{limit: '1', cursor: 'two'},
	]);
});

test.each([
	['no-cursor', () => page(['a'], true), 1],
	['repeated-cursor', () => page(['a'], true, 'same'), 2],
])('a list that leads nowhere ends the walk: %s', async (why, reply, requests) => {
	harness.server.otherwise(reply());
	expect((await walk(pagesOf(harness.service.users.list, {}))).end).toBe(why);
	expect(harness.server.requests).toHaveLength(requests);
});

test('endless empty pages end the walk', async () => {
	let count = 0;
	harness.server.otherwise((response, request) => page([], true, `c${count++}`)(response, request));
	expect((await walk(pagesOf(harness.service.users.list, {}))).end).toBe('empty-pages');
	expect(count).toBe(20);
});

test('a walk stops asking when nobody takes more, and passes errors on', async () => {
	harness.server.answer(page(['a'], true, 'one'), json({}, 403));
	for await (const _page of pagesOf(harness.service.users.list, {})) break;
	expect(harness.server.requests).toHaveLength(1);
	expect(await errorOf(walk(pagesOf(harness.service.users.list, {cursor: 'one'})))).toMatchObject({
		name: 'ForbiddenError',
	});
});

test('walks analytics users by the cursor in their meta', async () => {
	const range = {startDate: '2026-02-01', endDate: '2026-02-02'};
	harness.server.answer(
		json({data: [{user_id: 'a'}], meta: {has_more: true, next_cursor: 'a'}}),
		json({data: [{user_id: 'b'}], meta: {has_more: false, next_cursor: null}}),
	);
	const {pages, end} = await walk(pagesOf(harness.service.analytics.users, {...range, limit: 1}));
	expect([pages.flatMap(one => one.rows.map(row => row.user_id)), end]).toEqual([['a', 'b'], 'end']);
	expect(harness.server.requests[1]?.query).toEqual({...range, limit: '1', cursor: 'a'});
});

test('walks reports by the last id until a page is empty', async () => {
	const reports = (...ids: string[]) => json({reports: ids.map(reportId => ({reportId}))});
	harness.server.answer(reports('a', 'b'), reports('c'), reports());
	const pages: ReportPage[] = [];
	for await (const one of reportsOf(harness.service.readiness.list, {repoId: 'r', limit: 2})) pages.push(one);
	expect(pages.flatMap(one => one.items.map(report => report.reportId))).toEqual(['a', 'b', 'c']);
	expect(harness.server.requests.map(request => request.query.startAfter)).toEqual([undefined, 'b', 'c']);
});

test("repeated ids end the walk if the service doesn't know startAfter", async () => {
	harness.server.otherwise(json({reports: [{reportId: 'a'}, {reportId: 'b'}]}));
	const pages: ReportPage[] = [];
	for await (const one of reportsOf(harness.service.readiness.list, {})) pages.push(one);
	expect(pages).toHaveLength(1);
	expect(harness.server.requests).toHaveLength(2);
});
