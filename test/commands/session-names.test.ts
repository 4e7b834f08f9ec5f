import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands} from '../support/commands.ts';
import type {FaultServer, Reply} from '../support/fault-server.ts';
import {json} from '../support/replies.ts';

const titles: Readonly<Record<string, string>> = {
	's-1': 'Fix the login',
	's-2': 'Fix the cart',
	's-3': 'fix',
	'abcd-1': 'Docs',
	'abcd-2': 'Release',
};

/** A service of these sessions; the first is at work, the second has the tag `urgent`. */
const service: Reply = (response, request) => {
	const [, , , , id = ''] = request.path.split('/');
	const tags = id === 's-2' ? [{name: 'urgent'}] : [];
	const session = {
		sessionId: id,
		title: titles[id],
		status: id === 's-1' ? 'running' : 'idle',
		computerId: id === 's-1' ? 'c-1' : 'c-2',
		sessionSettings: {tags},
	};
	const messages = {messages: [], pagination: {hasMore: false, nextCursor: null}};
	return json(request.method === 'PATCH' ? session : messages)(response, request);
};

/** The sessions that requests after the first `before` were for, each once in a row. */
function asked({requests}: FaultServer, before: number): readonly string[] {
	const ids = requests.slice(before).map(({path}) => path.split('/')[4] ?? '');
	return ids.filter((id, index) => id !== ids[index - 1]);
}

async function known() {
	const {cli, server, env} = await servedCommands(service);
	const run = (...args: string[]) => cli.run(args, {env});
	for (const id of Object.keys(titles)) expect(await run('sessions', 'get', id)).toMatchObject({code: 0});
	return {run, server};
}

test('a session is named by its id, its title or a unique part of that; several are refused before anything is sent', async () => {
	const {run, server} = await known();
	const before = server.requests.length;
	expect(await run('messages', 'LOGIN')).toMatchObject({code: 0});
	await run('sessions', 'get', 'fix');
	expect(asked(server, before)).toEqual(['s-1', 's-3']);
	const several = await run('send', 'fix the', 'words');
	expect(several).toMatchObject({code: 2, stdout: ''});
	expect(several.stderr).toContain(
		'"fix the" names several sessions: s-1 (Fix the login), s-2 (Fix the cart)',
	);
	expect(asked(server, before)).toHaveLength(2);
});

test('a session is named by the beginning of its id, of four characters or more', async () => {
	const {run, server} = await known();
	const before = server.requests.length;
	expect(await run('sessions', 'get', 'abcd-2')).toMatchObject({code: 0});
	await run('sessions', 'get', 'abcd');
	const several = await run('send', 'abcd', 'words');
	expect(several).toMatchObject({code: 2, stdout: ''});
	expect(several.stderr).toContain('"abcd" names several sessions: abcd-1 (Docs), abcd-2 (Release)');
	expect(asked(server, before)).toHaveLength(1);
	await run('sessions', 'forget', 'abcd-1');
	expect(await run('sessions', 'get', 'abcd')).toMatchObject({code: 0});
	await run('sessions', 'get', 'abc');
	expect(asked(server, before)).toEqual(['abcd-2', 'abc']);
});

test('sessions list takes only those that its flags ask for', async () => {
	const {run} = await known();
	const listed = async (...flags: string[]) => {
		const {stdout} = await run('sessions', 'list', '--json', ...flags);
		return jsonLines(stdout).map(({sessionId}) => sessionId);
	};
	expect(await listed('--state', 'working')).toEqual(['s-1']);
	expect(await listed('--state', 'working,idle')).toEqual(['abcd-1', 'abcd-2', 's-1', 's-2', 's-3']);
	expect(await listed('--computer', 'c-2')).toEqual(['abcd-1', 'abcd-2', 's-2', 's-3']);
	expect(await listed('--computer', 'c-2', '--tag', 'urgent')).toEqual(['s-2']);
	expect(await listed('--needs-you')).toEqual([]);
	expect(await run('sessions', 'list', '--state', 'busy')).toMatchObject({code: 2});
	const unknown = await run('sessions', 'list', '--computer', 'c-9');
	expect(unknown).toMatchObject({code: 4, stdout: ''});
	expect(unknown.stderr).toContain('unknown computer c-9');
});

test('status prints one line from disk, without a request', async () => {
	const {run, server} = await known();
	const before = server.requests.length;
	expect(await run('status')).toMatchObject({code: 0, stdout: '! 0  ● 1\n', stderr: ''});
	expect(jsonLines((await run('status', '--json')).stdout)).toEqual([{needsYou: 0, working: 1, unsure: 0}]);
	expect(server.requests).toHaveLength(before);
	const fresh = await servedCommands(service);
	expect(await fresh.cli.run(['status'], {env: fresh.env})).toMatchObject({code: 0, stdout: '?\n'});
});
