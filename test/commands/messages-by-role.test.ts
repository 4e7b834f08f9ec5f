import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands} from '../support/commands.ts';
import {fakeClock} from '../support/fake-clock.ts';
import type {Reply} from '../support/fault-server.ts';
import {passing} from '../support/passing-time.ts';
import {json} from '../support/replies.ts';

const roles = ['user', 'assistant', 'tool'] as const;
const roleOf = (id: string) => roles[Number(id.slice(2)) % 3];
type Listed = {readonly id: string; readonly role?: string | undefined};
const listed = (number: number) => ({
	id: `m-${number}`,
	content: [{text: 'words'}],
	createdAt: 1_777_000_000_000 + number,
});
const page = (messages: readonly object[]) =>
	json({messages, pagination: {hasMore: false, nextCursor: null}});

/** Thirty messages, whose roles only the lists by role tell, or however `ofRole` answers those. */
async function setUp(ofRole?: Reply, shape: (message: Listed) => Listed = message => message) {
	const messages: Listed[] = Array.from({length: 30}, (_, index) => shape(listed(29 - index)));
	const {cli, env} = await servedCommands((response, request) => {
		const {role} = request.query;
		if (role && ofRole) return ofRole(response, request);
		return page(messages.filter(({id}) => !role || roleOf(id) === role))(response, request);
	});
	const args = ['messages', 's-1', '--json'];
	return {cli, env, messages, args, run: (...more: string[]) => cli.run([...args, ...more], {env})};
}

const rolesIn = (stdout: string) =>
	jsonLines(stdout).map(({id, quarterdeck}) => [id, (quarterdeck as {role?: string}).role]);
const ids = Array.from({length: 30}, (_, index) => `m-${index}`);

test('following one role prints messages of that role alone', async () => {
	const {cli, env, args, messages} = await setUp();
	const clock = fakeClock(Date.now());
	const run = cli.start([...args, '--follow', '--role', 'user', '--limit', '1'], {env, clock});
	await passing(clock, run.until(/\n/));
	messages.unshift(listed(32), listed(31), listed(30));
	await passing(clock, run.until(/"m-30"/));
	messages.unshift(listed(33));
	await passing(clock, run.until(/"m-33"/));
	run.interrupt();
	expect((await run.ended).code).toBe(130);
	expect(jsonLines(run.stdout).map(({id}) => id)).toEqual(['m-27', 'm-30', 'm-33']);
});

test('a service that ignores the role filter is told', async () => {
	const ignored = "The service ignored the role filter: it can't list messages by role.\n";
	const everything = page(ids.map((_, index) => listed(29 - index)));
	const all = await (await setUp(everything)).run('--all');
	expect(all).toMatchObject({code: 1, stderr: `quarterdeck: 30 messages have an unknown role: ${ignored}`});
	const told = (message: Listed) => ({...message, role: roleOf(message.id)});
	const telling = await setUp(page(ids.map((_, index) => told(listed(29 - index)))), told);
	expect(await telling.run('--all', '--role', 'user')).toEqual({
		code: 1,
		stdout: '',
		stderr: `quarterdeck: ${ignored}`,
	});
});

test.each([
	[404, 'Not found \\(404\\): no'],
	[400, 'The service refused the request \\(400\\): no'],
])(
	'all messages are printed without a role if listing by role fails (%i), which is the reason',
	async (status, why) => {
		const {run} = await setUp(json({error: 'no', requestId: 'req-9'}, status));
		const unknown = new RegExp(
			`^quarterdeck: 30 messages have an unknown role: ${why} \\(request req-9\\)\\.\\n$`,
		);
		const all = await run('--all');
		expect(all).toMatchObject({code: 1, stderr: expect.stringMatching(unknown)});
		expect(rolesIn(all.stdout)).toEqual(ids.map(id => [id, undefined]));
		const document = await run('--all', '--format', 'json');
		expect(document).toMatchObject({code: 1, stderr: expect.stringMatching(unknown)});
		expect(document.stdout).not.toContain('"role"');
	},
);
