import {expect, test} from 'vitest';
import type {MessageRole} from '../../src/domain/messages/message.ts';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {openFilledSession} from '../support/filled-session.ts';
import {portOf, sharedTestServices, temporaryFolder} from '../support/local-service.ts';
import {startRequestLog} from '../support/request-log.ts';
import {createSession} from '../support/sessions.ts';

const shared = sharedTestServices();

/** A session of so many messages at the real service, and the built program with a home of its own. */
async function setUp(count: number) {
	const {service, local, folder} = await shared({port: 0});
	const session = openFilledSession(folder, await createSession(service), Date.UTC(2026, 9, 1));
	session.fill(count);
	const {url, key} = portOf(local);
	const log = await startRequestLog(url);
	const cli = commandsAt(temporaryFolder());
	const env = {QUARTERDECK_BASE_URL: log.url, QUARTERDECK_API_KEY: key};
	const messages = (...args: string[]) => cli.run(['messages', session.id, '--json', ...args], {env});
	const follow = (...args: string[]) =>
		cli.start(['messages', session.id, '--json', '--follow', ...args], {env});
	const idsOf = (role: MessageRole) => [...session.roles].flatMap(([id, one]) => (one === role ? [id] : []));
	return {session, log, messages, follow, idsOf};
}

const rolesIn = (stdout: string) =>
	jsonLines(stdout).map(({id, quarterdeck}) => [id, (quarterdeck as {role?: string}).role]);

test('each message has its role, and each filtered list is complete', async () => {
	const {session, messages, idsOf} = await setUp(250);
	const all = await messages('--all');
	expect({code: all.code, stderr: all.stderr}).toEqual({code: 0, stderr: ''});
	expect(rolesIn(all.stdout)).toEqual([...session.roles]);
	for (const role of ['user', 'assistant', 'tool'] as const) {
		const filtered = await messages('--all', '--role', role);
		expect({code: filtered.code, stderr: filtered.stderr}).toEqual({code: 0, stderr: ''});
		expect(rolesIn(filtered.stdout)).toEqual(idsOf(role).map(id => [id, role]));
	}
});

test('following one role asks for that role alone', async () => {
	const {session, follow} = await setUp(250);
	const run = follow('--role', 'user', '--limit', '1');
	await run.until(/\n/);
	session.add('assistant');
	const asked = session.add('user');
	session.add('tool');
	const reported = await run.until(new RegExp(`"${asked}"`));
	const next = session.add('user');
	await run.until(new RegExp(`"${next}"`));
	run.interrupt();
	expect((await run.ended).code).toBe(130);
	expect(rolesIn(reported).map(([, role]) => role)).toEqual(['user', 'user']);
});

test('a service that ignores the role filter is told', async () => {
	const ignored = "The service ignored the role filter: it can't list messages by role.\n";
	const {session, log, messages} = await setUp(30);
	log.ask = url => url.searchParams.delete('role');
	const all = await messages('--all');
	expect(all).toMatchObject({code: 1, stderr: `quarterdeck: 30 messages have an unknown role: ${ignored}`});
	log.change = body =>
		JSON.stringify(JSON.parse(body), (_, one) => (one?.id ? {...one, role: session.roles.get(one.id)} : one));
	const users = await messages('--all', '--role', 'user');
	expect(users).toEqual({code: 1, stdout: '', stderr: `quarterdeck: ${ignored}`});
});

test('failed listings by role are the reason why roles are unknown', async () => {
	const {log, messages} = await setUp(30);
	log.ask = url => {
		if (url.searchParams.has('role')) url.pathname = '/api/v0/sessions/none/messages';
	};
	const {code, stdout, stderr} = await messages('--all');
	expect({code, count: rolesIn(stdout).length}).toEqual({code: 1, count: 30});
	expect(stderr).toMatch(
		/^quarterdeck: 30 messages have an unknown role: Not found \(404\): .* \(request [\w-]+\)\.\n$/,
	);
});

test("all messages are printed without a role if the service doesn't tell any", async () => {
	const {session, log, messages} = await setUp(30);
	log.ask = url => {
		if (url.searchParams.has('role')) url.searchParams.set('role', 'nobody');
	};
	const unknown = /^quarterdeck: 30 messages have an unknown role: The service refused the request \(400\): /;
	const all = await messages('--all');
	expect(all.code).toBe(1);
	expect(all.stderr).toMatch(unknown);
	expect(rolesIn(all.stdout)).toEqual([...session.roles.keys()].map(id => [id, undefined]));
	const document = await messages('--all', '--format', 'json');
	expect(document.code).toBe(1);
	expect(document.stderr).toMatch(unknown);
	expect(document.stdout).not.toContain('"role"');
});
