import {expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {commandsAt} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';

test('what a command has read counts as the state of the session', async () => {
	const cli = commandsAt(temporaryFolder());
	await cli.start(['serve']).until(/socket/);
	const local = (...args: string[]) => cli.run(['--local', '--json', ...args]);
	const [computer] = jsonLines((await local('computers', 'list')).stdout);
	const reads = [
		(id: string) => ['messages', id],
		(id: string) => ['sessions', 'get', id],
		() => ['sessions', 'list', '--refresh'],
	];
	for (const [index, words] of reads.entries()) {
		const created = await local('sessions', 'create', '--computer-id', `${computer?.id}`);
		const id = `${jsonLines(created.stdout)[0]?.sessionId}`;
		await local('send', id, 'exit 3');
		const read = async () => {
			await local(...words(id));
			return jsonLines((await local('sessions', 'list', '--state', 'failed')).stdout);
		};
		await expect.poll(read, {timeout: 20_000}).toHaveLength(index + 1);
	}
});
