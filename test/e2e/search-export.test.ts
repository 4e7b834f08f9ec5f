import {describe, expect, test} from 'vitest';
import {type Cli, type CliRun, cliAt, jsonLines} from '../support/cli.ts';
import {temporaryFolder} from '../support/local-service.ts';

type Talk = {readonly cli: Cli; readonly sessionId: string; readonly service: CliRun};

/** A session in a new home whose agent, a shell, was told each of the commands and has answered. */
async function talked(...commands: readonly string[]): Promise<Talk> {
	const cli = cliAt(temporaryFolder());
	const service = cli.start(['serve', '--json']);
	await service.until(/\n/);
	const made = async (...args: string[]) =>
		jsonLines((await cli.run(['--local', '--json', ...args])).stdout)[0];
	const computer = await made('computers', 'create', '--name', 'b', '--remote-user', 'me');
	const session = await made('sessions', 'create', '--computer-id', `${computer?.id}`);
	const sessionId = `${session?.sessionId}`;
	for (const command of commands) await cli.run(['--local', 'send', sessionId, command, '--wait']);
	return {cli, sessionId, service};
}

async function end({service}: Talk): Promise<void> {
	service.child.kill('SIGTERM');
	await service.ended;
}

describe('search', () => {
	test('finds what was read in every session, Chinese too, newest first, without asking the service', async () => {
		const talk = await talked("printf '数据库迁移完成\\n'", 'echo "the needle"');
		const {cli, sessionId} = talk;
		await end(talk);
		const found = await cli.run(['--local', '--json', 'search', '迁移']);
		expect(found).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(found.stdout)).toMatchObject([
			{sessionId, messageId: expect.any(String), quarterdeck: {snippet: '数据库迁移完成'}},
			{sessionId, quarterdeck: {snippet: expect.stringContaining('printf')}},
		]);
		const plain = await cli.run(['--local', 'search', 'NEED', '--limit', '1']);
		expect(plain.stdout).toMatch(new RegExp(`^${sessionId} .*\\n {4}the needle\\n$`));
		const all = await cli.run(['--local', 'search', 'need', 'THE', '--limit', '1']);
		expect(all).toMatchObject({code: 0, stdout: plain.stdout});
		expect(await cli.run(['--local', 'search', 'needle', 'nowhere'])).toMatchObject({code: 4});
	});

	test('words that are nowhere end with 4, and no words with 2', async () => {
		const cli = cliAt(temporaryFolder());
		expect(await cli.run(['--local', 'search', 'nothing'])).toMatchObject({code: 4, stdout: ''});
		expect(await cli.run(['--local', 'search', '...'])).toMatchObject({code: 2, stdout: ''});
		expect(await cli.run(['--local', 'search'])).toMatchObject({code: 2, stdout: ''});
	});
});

describe('export', () => {
	test('a whole session as Markdown, and as one JSON document', async () => {
		const talk = await talked("printf '# Title\\n\\ta tab\\033[31m\\n'", 'echo second');
		const {cli, sessionId} = talk;
		const markdown = await cli.run(['--local', 'messages', sessionId, '--format', 'markdown', '--all']);
		expect(markdown).toMatchObject({code: 0, stderr: ''});
		expect(markdown.stdout.match(/^## (?:You|Agent), .*$/gm)).toHaveLength(4);
		expect(markdown.stdout).toContain('# Title\n\ta tab\u241b[31m\n');
		const json = await cli.run(['--local', 'messages', sessionId, '--format', 'json', '--all']);
		const document = JSON.parse(json.stdout);
		expect(document.session.sessionId).toBe(sessionId);
		expect(document.messages.map((one: {quarterdeck: {role: string}}) => one.quarterdeck.role)).toEqual([
			'user',
			'assistant',
			'user',
			'assistant',
		]);
		await end(talk);
	});

	test.each([
		['--format', 'html'],
		['--format', 'markdown', '--json'],
		['--format', 'markdown', '--follow'],
	])('%s %s %s is wrong usage', async (...flags) => {
		const cli = cliAt(temporaryFolder());
		const args = flags.filter(flag => typeof flag === 'string');
		expect(await cli.run(['--local', 'messages', 's', ...args])).toMatchObject({code: 2, stdout: ''});
	});
});
