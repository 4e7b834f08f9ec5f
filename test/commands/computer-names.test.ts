import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands} from '../support/commands.ts';
import type {Reply} from '../support/fault-server.ts';
import {json} from '../support/replies.ts';

const names: Readonly<Record<string, string>> = {'c-1': 'box', 'c-2': 'lab', 'c-3': 'lab', 'c-4': 'c-1'};

/** A service of these computers, in whose sessions nothing was written yet. */
const service: Reply = (response, request) => {
	const [, , , kind, id = ''] = request.path.split('/');
	const name = names[id];
	const {computerId} = (request.body ?? {}) as {computerId?: string};
	const answer =
		kind === 'computers'
			? json(
					name ? {id, name, providerType: 'byom', createdAt: 1_777_000_000_000} : {error: 'no such computer'},
					name ? 200 : 404,
				)
			: id === ''
				? json(
						{
							sessionId: 's-1',
							status: 'idle',
							messageCount: 0,
							createdAt: 1_777_000_000_000,
							updatedAt: 1_777_000_000_000,
							computerId,
						},
						201,
					)
				: request.method === 'POST'
					? json({messageId: 'm-1', status: 'running'})
					: json({messages: [], pagination: {hasMore: false, nextCursor: null}});
	return answer(response, request);
};

async function knowing(...ids: string[]) {
	const {cli, server, env} = await servedCommands(service);
	const run = (...args: string[]) => cli.run(args, {env});
	for (const id of ids) expect(await run('computers', 'get', id)).toMatchObject({code: 0});
	return {run, paths: () => server.requests.map(({method, path}) => `${method} ${path}`), server};
}

test('a unique computer name works in every command that takes an id', async () => {
	const {run, paths, server} = await knowing('c-1', 'c-2');
	const before = paths().length;
	expect((await run('computers', 'get', 'box')).stdout).toMatch(/^c-1 /m);
	await run('computers', 'update', 'lab', '--remote-user', 'me');
	await run('computers', 'install-deps', 'lab');
	expect(paths().slice(before)).toEqual([
		'GET /api/v0/computers/c-1',
		'PATCH /api/v0/computers/c-2',
		'POST /api/v0/computers/c-2/install-deps',
	]);
	expect(await run('sessions', 'create', '--computer-id', 'box')).toMatchObject({code: 0});
	expect(server.requests.at(-1)?.body).toEqual({computerId: 'c-1'});
	await run('messages', 's-1', '--computer-id', 'lab');
	expect(server.requests.at(-1)?.query).toMatchObject({computerId: 'c-2'});
	await run('send', 's-1', 'words', '--computer-id', 'lab');
	expect(server.requests.at(-1)?.body).toMatchObject({computerId: 'c-2'});
	expect(jsonLines((await run('computers', 'forget', 'box', '--json')).stdout)).toEqual([
		{id: 'c-1', quarterdeck: {isForgotten: true}},
	]);
	expect((await run('computers', 'list')).stdout).not.toContain('c-1');
});

test('an ambiguous computer name is refused with the ids, and nothing is sent', async () => {
	const {run, paths} = await knowing('c-2', 'c-3');
	const before = paths().length;
	for (const words of [
		['computers', 'get', 'lab'],
		['computers', 'watch', 'lab'],
		['computers', 'forget', 'lab'],
		['sessions', 'add', 's-9', '--computer-id', 'lab'],
	]) {
		const {code, stderr} = await run(...words);
		expect(stderr).toMatch(/several computers are called lab: use an id: c-2, c-3\n$/);
		expect(code).toBe(2);
	}
	expect(paths().slice(before)).toEqual([]);
});

test('an id takes precedence over a name, and an unknown word is taken as an id', async () => {
	const {run, paths} = await knowing('c-1', 'c-4');
	expect((await run('computers', 'get', 'c-1')).stdout).toMatch(/^c-1 .* box /m);
	expect(await run('computers', 'get', 'nothing')).toMatchObject({code: 4});
	expect(paths().at(-1)).toBe('GET /api/v0/computers/nothing');
});
