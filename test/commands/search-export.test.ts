import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {type Commands, commandsAt, servedCommands} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {json} from '../support/replies.ts';
import type {CommandRun} from '../support/run-inside.ts';

type Talk = {readonly cli: Commands; readonly sessionId: string; readonly service: CommandRun};

/** A session in a new home whose agent, a shell, was told each of the commands and has answered. */
async function talked(...commands: readonly string[]): Promise<Talk> {
	const cli = commandsAt(temporaryFolder());
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

describe('search', () => {
	test('finds what was read in every session, Chinese too, newest first; a whole session is exported', async () => {
		const {cli, sessionId, service} = await talked(
			"printf '数据库迁移完成\\n'",
			'echo "the needle"',
			"printf '# Title\\n\\ta tab\\033[31m\\n'",
		);
		const markdown = await cli.run(['--local', 'messages', sessionId, '--format', 'markdown', '--all']);
		expect(markdown).toMatchObject({code: 0, stderr: ''});
		expect(markdown.stdout.match(/^## (?:You|Agent), .*$/gm)).toHaveLength(6);
		expect(markdown.stdout).toContain('# Title\n\ta tab\u241b[31m\n');
		const exported = await cli.run(['--local', 'messages', sessionId, '--format', 'json', '--all']);
		const document = JSON.parse(exported.stdout);
		expect(document.session.sessionId).toBe(sessionId);
		const roles = document.messages.map((one: {quarterdeck: {role: string}}) => one.quarterdeck.role);
		expect(roles).toEqual(['user', 'assistant', 'user', 'assistant', 'user', 'assistant']);
		// Searching asks no service.
		service.interrupt();
		await service.ended;
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

	test('ends with 4 if nothing is found, and with 2 without words', async () => {
		const cli = commandsAt(temporaryFolder());
		expect(await cli.run(['--local', 'search', 'nothing'])).toMatchObject({code: 4, stdout: ''});
		expect(await cli.run(['--local', 'search', '...'])).toMatchObject({code: 2, stdout: ''});
		expect(await cli.run(['--local', 'search'])).toMatchObject({code: 2, stdout: ''});
	});
});

describe('reasoning beside a message', () => {
	const messages = [
		{
			id: 'm-1',
			role: 'assistant',
			content: [{id: 'i', text: 'the answer'}],
			createdAt: 1_777_000_000_000,
			provider1ReasoningSummary: 'weighed zebras\nagainst horses',
			chatCompletionReasoningContent: 'counted quaggas\nand their stripes',
		},
	];

	test('is printed, found and exported', async () => {
		const {cli, env} = await servedCommands(json({messages, pagination: {hasMore: false}}));
		const printed = await cli.run(['messages', 's-1'], {env});
		const markdown = await cli.run(['messages', 's-1', '--format', 'markdown', '--all'], {env});
		const document = await cli.run(['messages', 's-1', '--format', 'json', '--all'], {env});
		for (const {code, stdout} of [printed, markdown, document]) {
			expect(code).toBe(0);
			for (const words of ['weighed zebras', 'against horses', 'counted quaggas', 'and their stripes'])
				expect(stdout).toContain(words);
		}
		for (const word of ['zebras', 'quaggas']) {
			const found = await cli.run(['search', word, '--json'], {env});
			expect(jsonLines(found.stdout)).toMatchObject([{sessionId: 's-1', messageId: 'm-1'}]);
		}
	});
});

describe('export', () => {
	test.each([
		['--format', 'html'],
		['--format', 'markdown', '--json'],
		['--format', 'markdown', '--follow'],
	])('%s %s %s is wrong usage', async (...flags) => {
		const cli = commandsAt(temporaryFolder());
		const args = flags.filter(flag => typeof flag === 'string');
		expect(await cli.run(['--local', 'messages', 's', ...args])).toMatchObject({code: 2, stdout: ''});
	});
});
