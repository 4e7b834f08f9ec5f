import {expect, test} from 'vitest';
import {json} from '../support/replies.ts';
import {servedCli} from '../support/served-cli.ts';

/** A session at a service where the parent of every message is the first one, which it answers at once. */
async function threadService() {
	const {cli, server, env} = await servedCli();
	const messages: {id: string; parentId: string; content: {text: string}[]; createdAt: number}[] = [];
	const add = (id: string) =>
		messages.unshift({id, parentId: 'u-1', content: [{text: `text of ${id}`}], createdAt: Date.now()});
	add('u-1');
	add('a-1');
	server.otherwise((response, request) => {
		if (request.method === 'POST') {
			add('u-2');
			add('a-2');
			return json({messageId: 'u-2', status: 'running'})(response, request);
		}
		const {role = ''} = request.query;
		const listed = messages.filter(({id}) => role === '' || id.startsWith(role.slice(0, 1)));
		return json({messages: listed, pagination: {hasMore: false, nextCursor: null}})(response, request);
	});
	return {cli, env};
}

test('an answer whose parent is the first message of the thread ends the wait', async () => {
	const {cli, env} = await threadService();
	const result = await cli.run(['send', 's-1', 'words', '--wait'], {env});
	expect(result).toEqual({code: 0, stdout: 'text of a-2\n', stderr: ''});
});
