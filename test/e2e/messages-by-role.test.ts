import {describe, expect, test} from 'vitest';
import type {MessageRole} from '../../src/domain/messages/message.ts';
import type {TestVariant} from '../../src/local/local-service.ts';
import {cliAt, jsonLines} from '../support/cli.ts';
import {openFilledSession} from '../support/filled-session.ts';
import {portOf, startTestService, temporaryFolder} from '../support/local-service.ts';
import {startRequestLog} from '../support/request-log.ts';
import {createSession} from '../support/sessions.ts';

const orders = ['newest-first', 'oldest-first'] as const;

/** A session of so many messages at the real service, and the built program with a home of its own. */
async function setUp(count: number, variant: Partial<TestVariant>) {
	const {service, local, folder} = await startTestService({variant, port: 0});
	const session = openFilledSession(folder, await createSession(service), Date.UTC(2026, 9, 1));
	session.fill(count);
	const {url, key} = portOf(local);
	const log = await startRequestLog(url);
	const cli = cliAt(temporaryFolder());
	const env = {QUARTERDECK_BASE_URL: log.url, QUARTERDECK_API_KEY: key};
	const messages = (...args: string[]) => cli.run(['messages', session.id, '--json', ...args], {env});
	const follow = (...args: string[]) =>
		cli.start(['messages', session.id, '--json', '--follow', ...args], {env});
	const idsOf = (role: MessageRole) => [...session.roles].flatMap(([id, one]) => (one === role ? [id] : []));
	return {session, log, messages, follow, idsOf};
}

const rolesIn = (stdout: string) =>
	jsonLines(stdout).map(({id, quarterdeck}) => [id, (quarterdeck as {role?: string}).role]);

describe.each(orders)('%s', pageOrder => {
	test.each([250, 1_000, 5_000])(
		'of %i messages each has its role, and each filtered list is whole',
		async count => {
			const {session, log, messages, idsOf} = await setUp(count, {pageOrder});
			const all = await messages('--all');
			expect({code: all.code, stderr: all.stderr}).toEqual({code: 0, stderr: ''});
			expect(rolesIn(all.stdout)).toEqual([...session.roles]);
			const pages = (messages: number) => Math.ceil(messages / 100);
			const users = pages(idsOf('user').length);
			const tools = pages(idsOf('tool').length);
			expect(log.listed.length).toBeLessThanOrEqual(pages(count) + users + tools + 6);
			for (const role of ['user', 'assistant', 'tool'] as const) {
				log.listed.length = 0;
				const filtered = await messages('--all', '--role', role);
				expect({code: filtered.code, stderr: filtered.stderr}).toEqual({code: 0, stderr: ''});
				expect(rolesIn(filtered.stdout)).toEqual(idsOf(role).map(id => [id, role]));
				expect(log.listed.length).toBeLessThanOrEqual(pages(idsOf(role).length) + 1);
				expect(log.listed.map(query => query.get('role'))).toEqual(log.listed.map(() => role));
			}
		},
	);

	test('a filtered list reads no more than it prints', async () => {
		const {log, messages, idsOf} = await setUp(2_500, {pageOrder});
		const newest = await messages('--role', 'assistant', '--limit', '30');
		expect(rolesIn(newest.stdout).map(([id]) => id)).toEqual(idsOf('assistant').slice(-30));
		const maxPages = pageOrder === 'newest-first' ? 2 : Math.ceil(idsOf('assistant').length / 100);
		expect(log.listed.length).toBeLessThanOrEqual(maxPages);
		expect(log.listed.every(query => query.get('role') === 'assistant')).toBe(true);
	});

	test('what comes later is followed by its role alone, in a listing that lags', async () => {
		const {session, log, follow} = await setUp(250, {pageOrder, listingLag: 400});
		const run = follow('--role', 'user', '--limit', '1');
		await run.until(/\n/);
		session.add('assistant');
		const asked = session.add('user');
		session.add('tool');
		const reported = await run.until(new RegExp(`"${asked}"`));
		const next = session.add('user');
		await run.until(new RegExp(`"${next}"`));
		run.child.kill('SIGINT');
		expect((await run.ended).code).toBe(130);
		expect(rolesIn(reported).map(([, role]) => role)).toEqual(['user', 'user']);
		expect(log.listed.every(query => query.get('role') === 'user')).toBe(true);
	});

	test.each([
		['that leads back', 'back'],
		['that is missing', ''],
	])('with a cursor %s a list is not taken for whole', async (_, cursor) => {
		const {log, messages, session, idsOf} = await setUp(500, {pageOrder});
		log.ask = url => {
			if (url.searchParams.get('cursor') === 'back') url.searchParams.delete('cursor');
		};
		log.change = body => body.replace(/"nextCursor":"[^"]+"/, `"nextCursor":"${cursor}"`);
		const ofEnd = (ids: readonly string[]) =>
			pageOrder === 'newest-first' ? ids.slice(-100) : ids.slice(0, 100);
		const filtered = await messages('--all', '--role', 'assistant');
		const all = await messages('--all');
		for (const {code, stderr} of [filtered, all]) {
			expect(code).toBe(1);
			expect(stderr).toBe(
				'quarterdeck: the service says there is more but gives no cursor: the list is incomplete\n',
			);
		}
		expect(rolesIn(filtered.stdout).map(([id]) => id)).toEqual(ofEnd(idsOf('assistant')));
		expect(rolesIn(all.stdout).map(([id]) => id)).toEqual(ofEnd([...session.roles.keys()]));
	});
});
