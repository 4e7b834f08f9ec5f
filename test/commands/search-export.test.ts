import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {commandsAt, servedCommands} from '../support/commands.ts';
import {temporaryFolder} from '../support/local-service.ts';
import {json} from '../support/replies.ts';

/** What was said, the newest first. */
const talk = [
	['assistant', '# Title\n\ta tab\u001b[31m'],
	['user', 'print a title'],
	['assistant', 'the needle'],
	['user', 'echo "the needle"'],
	['assistant', '数据库迁移完成'],
	['user', "printf '数据库迁移完成'"],
].map(([role, text], index) => ({
	id: `m-${6 - index}`,
	role,
	content: [{id: 't', text}],
	createdAt: 1_777_000_000_000 - index,
}));

describe('search', () => {
	test('finds what was read in every session, Chinese too, newest first; a whole session is exported', async () => {
		const {cli, server, env} = await servedCommands(json({messages: talk, pagination: {hasMore: false}}));
		const run = (...args: string[]) => cli.run(args, {env});
		const markdown = await run('messages', 's-1', '--format', 'markdown', '--all');
		expect(markdown).toMatchObject({code: 0, stderr: ''});
		expect(markdown.stdout.match(/^## (?:You|Agent), .*$/gm)).toHaveLength(6);
		expect(markdown.stdout).toContain('# Title\n\ta tab\u241b[31m\n');
		const document = JSON.parse((await run('messages', 's-1', '--format', 'json', '--all')).stdout);
		expect(document.session.sessionId).toBe('s-1');
		expect(document.messages).toMatchObject(
			talk.toReversed().map(({id, role}) => ({id, quarterdeck: {role}})),
		);
		// Searching asks no service.
		await server.close();
		const found = await run('--json', 'search', '迁移');
		expect(found).toMatchObject({code: 0, stderr: ''});
		expect(jsonLines(found.stdout)).toMatchObject([
			{sessionId: 's-1', messageId: 'm-2', quarterdeck: {snippet: '数据库迁移完成'}},
			{sessionId: 's-1', quarterdeck: {snippet: expect.stringContaining('printf')}},
		]);
		const plain = await run('search', 'NEED', '--limit', '1');
		expect(plain.stdout).toMatch(/^s-1 .*\n {4}the needle\n$/);
		expect(await run('search', 'need', 'THE', '--limit', '1')).toMatchObject({code: 0, stdout: plain.stdout});
		expect(await run('search', 'needle', 'nowhere')).toMatchObject({code: 4});
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
