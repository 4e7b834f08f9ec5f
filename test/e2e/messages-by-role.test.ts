import {describe, expect, test} from 'vitest';
import {openDatabase} from '../../src/db/open-database.ts';
import type {MessageRole} from '../../src/domain/messages/message.ts';
import type {TestVariant} from '../../src/local/local-service.ts';
import {onlyAccountFile} from '../support/account-files.ts';
import {cliAt, jsonLines} from '../support/cli.ts';
import {fakeClock} from '../support/fake-clock.ts';
import {openFilledSession} from '../support/filled-session.ts';
import {listingModel} from '../support/listing-model.ts';
import {serveListing} from '../support/listing-server.ts';
import {portOf, startTestService, temporaryFolder} from '../support/local-service.ts';
import {openProgram} from '../support/program.ts';
import {startRequestLog} from '../support/request-log.ts';
import {fill, orders as pageOrders, pagesFor} from '../support/role-reading.ts';
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
	const open = () => {
		const own = {
			PATH: process.env.PATH,
			HOME: cli.home,
			XDG_RUNTIME_DIR: `${cli.home}/run`,
			TMPDIR: cli.home,
		};
		return openProgram(
			['--session', session.id],
			{...own, ...env, LANG: 'C.UTF-8'},
			{columns: 120, rows: 40},
		);
	};
	return {session, log, cli, messages, follow, open, idsOf};
}

const rolesIn = (stdout: string) =>
	jsonLines(stdout).map(({id, quarterdeck}) => [id, (quarterdeck as {role?: string}).role]);

function withoutMessages(body: string, ids: readonly string[]): string {
	const page = JSON.parse(body) as {messages: {id: string}[]};
	return JSON.stringify({...page, messages: page.messages.filter(({id}) => !ids.includes(id))});
}

describe.each(orders)('%s', pageOrder => {
	test.each([250, 1_000, 5_000])(
		'each of %i messages has its role, and each filtered list is complete',
		async count => {
			const {session, log, messages, idsOf} = await setUp(count, {pageOrder});
			const all = await messages('--all');
			expect({code: all.code, stderr: all.stderr}).toEqual({code: 0, stderr: ''});
			expect(rolesIn(all.stdout)).toEqual([...session.roles]);
			const pages = (messages: number) => Math.ceil(messages / 100);
			const users = pages(idsOf('user').length);
			const tools = pages(idsOf('tool').length);
			// Who wrote the newest ones stands at the end of role=assistant, which is one request away only newest first.
			const assistants = pageOrder === 'oldest-first' ? pages(idsOf('assistant').length) : 0;
			expect(log.listed.length).toBeLessThanOrEqual(pages(count) + users + tools + assistants + 6);
			for (const role of ['user', 'assistant', 'tool'] as const) {
				log.listed.length = 0;
				const filtered = await messages('--all', '--role', role);
				expect({code: filtered.code, stderr: filtered.stderr}).toEqual({code: 0, stderr: ''});
				expect(rolesIn(filtered.stdout)).toEqual(idsOf(role).map(id => [id, role]));
				expect(log.listed.length).toBeLessThanOrEqual(pages(idsOf(role).length) + 2);
				// One look at the newest messages of any role: nothing else tells that the listing lags behind.
				const others = log.listed.filter(query => query.get('role') !== role);
				expect(others.map(query => query.get('role'))).toEqual([null]);
			}
		},
	);

	test.each(['user', 'user tool assistant'])(
		'each of 500 and 1,000 messages of %s has its role',
		async turn => {
			for (const count of [500, 1_000]) {
				const {session, messages} = await setUp(0, {pageOrder});
				session.fill(count, turn.split(' ') as MessageRole[]);
				const {code, stdout} = await messages('--all');
				expect(code).toBe(0);
				expect(rolesIn(stdout)).toEqual([...session.roles]);
			}
		},
	);

	test.each(['user', 'user assistant'])("among messages of %s, the user's are all listed", async turn => {
		for (const count of [1_000, 5_000]) {
			const {session, messages, idsOf} = await setUp(0, {pageOrder});
			session.fill(count, turn.split(' ') as MessageRole[]);
			const {code, stdout} = await messages('--all', '--role', 'user');
			expect(code).toBe(0);
			const printed = jsonLines(stdout).map(({id}) => id);
			expect(printed).toHaveLength(idsOf('user').length);
			expect(printed).toEqual(idsOf('user'));
		}
	});

	test('roles that an earlier rule saved wrongly are read again', async () => {
		const {session, cli, messages} = await setUp(500, {pageOrder});
		await messages('--all');
		const database = openDatabase({file: onlyAccountFile(cli.stateFolder)});
		const {roleRule: _rule, assistantUpTo: _time, ...listing} = database.messages.listing(session.id);
		database.messages.setRoles(session.id, new Map([...session.roles.keys()].map(id => [id, 'assistant'])));
		database.messages.setListingState(session.id, listing);
		database.close();
		const {code, stdout} = await messages('--all');
		expect(code).toBe(0);
		expect(rolesIn(stdout)).toEqual([...session.roles]);
	});

	test('no message is drawn on the screen before its role is known', async () => {
		const {open} = await setUp(300, {pageOrder});
		const terminal = open();
		await terminal.see(/you \d\d:\d\d [^\n]*\n[^\n]* 290 user[\s\S]* 299 assistant/);
		terminal.press('q');
		await terminal.see('Code 0');
		await terminal.exit();
		const drawn = terminal.output().replaceAll(/\x1b\[[\d;]*m/g, '');
		expect(drawn).toMatch(/tool +\d\d:\d\d/);
		expect(drawn).not.toMatch(/· +\d\d:\d\d/);
	});

	test('a filtered list reads little more than it prints', async () => {
		const {log, messages, idsOf} = await setUp(2_500, {pageOrder});
		const isFromTail = pageOrder === 'newest-first';
		const newest = async () => {
			log.listed.length = 0;
			const {stdout} = await messages('--role', 'assistant', '--limit', '30');
			expect(rolesIn(stdout).map(([id]) => id)).toEqual(idsOf('assistant').slice(-30));
			const requestsOf = (role: MessageRole | null) =>
				log.listed.filter(query => query.get('role') === role).length;
			expect(requestsOf('assistant')).toBeLessThanOrEqual(
				isFromTail ? 3 : pages(idsOf('assistant').length) + 1,
			);
			return {plain: requestsOf(null), otherRoles: requestsOf('user') + requestsOf('tool')};
		};
		const pages = (messages: number) => Math.ceil(messages / 100);
		const first = await newest();
		// Only the first time: two pages to see how the service pages, or all of them to reach the newest.
		expect(first.plain).toBeLessThanOrEqual(isFromTail ? 2 : pages(2_500) + 5);
		// And those of other roles until one includes the newest message, which proves that they don't lag behind.
		const otherPages = pages(idsOf('user').length) + pages(idsOf('tool').length);
		expect(first.otherRoles).toBeLessThanOrEqual(isFromTail ? 2 : otherPages);
		expect(await newest()).toEqual({plain: 1, otherRoles: 0});
	});

	test('following one role asks for that role alone, even if the listing lags', async () => {
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
		// But for one request the first time, which shows whether the service filters by role at all.
		const others = log.listed.filter(query => query.get('role') !== 'user');
		expect(others.map(query => [query.get('role'), query.get('limit')])).toEqual([['assistant', '5']]);
	});

	test('new messages that listings by role lack at first are awaited', async () => {
		const {session, log, messages, idsOf} = await setUp(250, {pageOrder});
		const young = [session.add('user'), session.add('assistant'), session.add('tool')];
		let lacking = 0;
		log.change = (body, url) =>
			url.searchParams.has('role') && lacking-- > 0 ? withoutMessages(body, young) : body;
		lacking = 3;
		const all = await messages('--all');
		expect({code: all.code, stderr: all.stderr}).toEqual({code: 0, stderr: ''});
		expect(rolesIn(all.stdout)).toEqual([...session.roles]);
		young.push(session.add('user'), session.add('assistant'));
		lacking = 3;
		const filtered = await messages('--all', '--role', 'user');
		expect({code: filtered.code, stderr: filtered.stderr}).toEqual({code: 0, stderr: ''});
		expect(rolesIn(filtered.stdout)).toEqual(idsOf('user').map(id => [id, 'user']));
	});

	test("messages that the listings by role lack are nobody's, however old they are", async () => {
		const {session, log, messages} = await setUp(250, {pageOrder});
		const lacking = new Set([...session.roles.keys()].slice(-30));
		log.change = (body, url) => (url.searchParams.has('role') ? withoutMessages(body, [...lacking]) : body);
		const all = await messages('--all');
		expect({code: all.code, stderr: all.stderr}).toEqual({
			code: 1,
			stderr: 'quarterdeck: 30 messages have an unknown role\n',
		});
		expect(rolesIn(all.stdout)).toEqual(
			[...session.roles].map(([id, role]) => [id, lacking.has(id) ? undefined : role]),
		);
		lacking.clear();
		const later = await messages('--all');
		expect({code: later.code, stderr: later.stderr}).toEqual({code: 0, stderr: ''});
		expect(rolesIn(later.stdout)).toEqual([...session.roles]);
	});

	test.each(['user', 'assistant', 'tool'] as const)(
		'a list of %s messages is complete, or says how many messages no listing by role includes, however old they are',
		async role => {
			const {session, log, messages, idsOf} = await setUp(250, {pageOrder});
			const lacking = new Set([...session.roles.keys()].slice(-130));
			log.change = (body, url) => (url.searchParams.has('role') ? withoutMessages(body, [...lacking]) : body);
			// The same again, when what was read is cached.
			for (const _ of [1, 2]) {
				const lagging = await messages('--all', '--role', role);
				expect({code: lagging.code, stderr: lagging.stderr}).toEqual({
					code: 1,
					stderr: 'quarterdeck: 130 messages have an unknown role and may be missing here\n',
				});
				const listed = idsOf(role).filter(id => !lacking.has(id));
				expect(rolesIn(lagging.stdout)).toEqual(listed.map(id => [id, role]));
			}
			lacking.clear();
			const later = await messages('--all', '--role', role);
			expect({code: later.code, stderr: later.stderr}).toEqual({code: 0, stderr: ''});
			expect(rolesIn(later.stdout)).toEqual(idsOf(role).map(id => [id, role]));
		},
	);

	test.each(['--all', '--limit=1'])(
		'a service that ignores the role filter is told, with %s',
		async amount => {
			const {log, messages} = await setUp(30, {pageOrder});
			log.ask = url => url.searchParams.delete('role');
			const {code, stdout, stderr} = await messages(amount, '--role', 'user');
			expect({code, stdout}).toEqual({code: 1, stdout: ''});
			expect(stderr).toBe(
				"quarterdeck: The service ignored the role filter: it can't list messages by role.\n",
			);
		},
	);

	test('a service that ignores the role filter is told, even if a message arrives meanwhile', async () => {
		const {session, log, messages} = await setUp(30, {pageOrder});
		log.ask = url => url.searchParams.delete('role');
		let isNew = true;
		log.change = body => {
			if (isNew) session.add('assistant');
			isNew = false;
			return body;
		};
		for (const _ of [1, 2])
			expect(await messages('--all', '--role', 'user')).toMatchObject({code: 1, stdout: ''});
		const all = await messages('--all');
		expect({code: all.code, stderr: all.stderr}).toEqual({
			code: 1,
			stderr: 'quarterdeck: 31 messages have an unknown role\n',
		});
	});

	test('failed listings by role are the reason why roles are unknown', async () => {
		const {log, messages} = await setUp(30, {pageOrder});
		log.ask = url => {
			if (url.searchParams.has('role')) url.pathname = '/api/v0/sessions/none/messages';
		};
		const {code, stdout, stderr} = await messages('--all');
		expect({code, count: rolesIn(stdout).length}).toEqual({code: 1, count: 30});
		expect(stderr).toMatch(
			/^quarterdeck: 30 messages have an unknown role: Not found \(404\): .* \(request [\w-]+\)\.\n$/,
		);
	});

	test("messages whose role the service doesn't tell are reported as unknown, with exit code 1", async () => {
		const {session, log, messages, idsOf} = await setUp(30, {pageOrder});
		session.add('assistant');
		let refused = ['user'];
		log.ask = url => {
			if (refused.includes(url.searchParams.get('role') ?? '')) url.searchParams.set('role', 'nobody');
		};
		const ofTools = () => messages('--all', '--role', 'tool');
		const tools = idsOf('tool').map(id => [id, 'tool']);
		const complete = await ofTools();
		expect({code: complete.code, stderr: complete.stderr}).toEqual({code: 0, stderr: ''});
		expect(rolesIn(complete.stdout)).toEqual(tools);
		refused = ['user', 'assistant'];
		session.add('assistant');
		const filtered = await ofTools();
		const reason = /: The service refused the request \(400\): role: .* \(request [\w-]+\)\.\n$/;
		expect(filtered.code).toBe(1);
		expect(filtered.stderr).toMatch(reason);
		expect(filtered.stderr.replace(reason, '')).toBe(
			'quarterdeck: 1 message has an unknown role and may be missing here',
		);
		expect(rolesIn(filtered.stdout)).toEqual(tools);
	});

	test("all messages are printed without a role if the service doesn't tell any", async () => {
		const {session, log, messages} = await setUp(30, {pageOrder});
		log.ask = url => {
			if (url.searchParams.has('role')) url.searchParams.set('role', 'nobody');
		};
		const unknown =
			/^quarterdeck: 30 messages have an unknown role: The service refused the request \(400\): /;
		const all = await messages('--all');
		expect(all.code).toBe(1);
		expect(all.stderr).toMatch(unknown);
		expect(rolesIn(all.stdout)).toEqual([...session.roles.keys()].map(id => [id, undefined]));
		const document = await messages('--all', '--format', 'json');
		expect(document.code).toBe(1);
		expect(document.stderr).toMatch(unknown);
		expect(document.stdout).not.toContain('"role"');
	});

	test.each([
		['that leads back', 'back'],
		['that is missing', ''],
	])("with a cursor %s, a list isn't taken as complete", async (_, cursor) => {
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
				'quarterdeck: the service gives no cursor to what may follow: the list may be incomplete\n',
			);
		}
		expect(rolesIn(filtered.stdout).map(([id]) => id)).toEqual(ofEnd(idsOf('assistant')));
		expect(rolesIn(all.stdout).map(([id]) => id)).toEqual(ofEnd([...session.roles.keys()]));
	});
});

test.each(pageOrders)(
	"of 20,000 messages in short and empty pages, %s first, the user's are all listed, in few requests",
	async pages => {
		const model = listingModel({clock: fakeClock(), pages});
		const pageSizes = [100, 0, 3, 60];
		const all = fill({model}, {count: 20_000, pages, pageSizes, users: 10, tools: 30, run: 12, seed: 1});
		model.pagesAre = pageSizes;
		const cli = cliAt(temporaryFolder());
		const env = {QUARTERDECK_BASE_URL: await serveListing(model), QUARTERDECK_API_KEY: 'k-0123456789'};
		const {code, stdout, stderr} = await cli.run(['messages', 's', '--json', '--all', '--role', 'user'], {
			env,
		});
		expect({code, stderr}).toEqual({code: 0, stderr: ''});
		const users = [...all].filter(([, role]) => role === 'user');
		const printed = rolesIn(stdout);
		const ids = new Set(printed.map(([id]) => id));
		const missing = users.filter(([id]) => !ids.has(id)).length;
		const wrong = printed.filter(([id]) => all.get(`${id}`) !== 'user').length;
		// Where the oldest come first, it also walks to the newest message, and then to it in the listings of other roles:
		// only that tells whether they lag behind.
		const walked = pages === 'head' ? 2 * pagesFor(all.size, pageSizes) : 0;
		const allowed = pagesFor(users.length, pageSizes) + walked + 6;
		process.stdout.write(
			`${pages} first: ${printed.length} messages, ${wrong} wrong, ${missing} missing, ${model.requests.length} requests (at most ${allowed})\n`,
		);
		expect(printed).toEqual(users);
		expect(model.requests.length).toBeLessThanOrEqual(allowed);
	},
);
