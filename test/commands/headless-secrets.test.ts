import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {servedCommands as setUp} from '../support/commands.ts';
import {json} from '../support/replies.ts';

describe('secrets', () => {
	const relay = {
		relayClientUrl: 'wss://relay.example/c?ticket=opens-it',
		relayAgentUrl: 'wss://relay.example/a?ticket=opens-it',
	};
	const computer = {
		id: 'c-1',
		name: 'box',
		providerType: 'byom',
		createdAt: 1_777_000_000_000,
		status: 'active',
		...relay,
		provisioningSteps: [{name: 'clone', status: 'failed', error: 'https://me:hunter22@host.example'}],
	};

	test('of a computer are masked, and its relay URLs are shown on request', async () => {
		const {cli, env} = await setUp(json(computer));
		for (const args of [
			['computers', 'get', 'c-1'],
			['computers', 'update', 'c-1', '--name', 'b'],
		]) {
			const shown = await cli.run([...args, '--json'], {env});
			expect(jsonLines(shown.stdout)).toMatchObject([
				{
					...computer,
					relayClientUrl: '***',
					relayAgentUrl: '***',
					provisioningSteps: [{error: 'https://***@host.example'}],
				},
			]);
		}
		const listed = await cli.run(['computers', 'list', '--json'], {env});
		expect(listed.stdout).not.toContain('opens-it');
		const failure = {reason: 'clone: https://***@host.example'};
		expect(jsonLines(listed.stdout)).toMatchObject([{quarterdeck: {needsYou: true, failure}}]);
		const asked = await cli.run(['computers', 'get', 'c-1', '--json', '--show-relay-urls'], {env});
		expect(jsonLines(asked.stdout)).toMatchObject([relay]);
		const table = await cli.run(['computers', 'get', 'c-1', '--show-relay-urls'], {env});
		expect(table.stdout).toContain(relay.relayClientUrl);
	});

	test('of a session are masked, and its numbers stay numbers', async () => {
		const usage = {inputTokens: 5, outputTokens: 6, serviceCredits: 1.5};
		const session = {
			sessionId: 's-1',
			status: 'idle',
			messageCount: 3,
			createdAt: 1_777_000_000_000,
			updatedAt: 1_777_000_000_000,
			sessionSettings: {
				tokenUsage: usage,
				childInclusiveTokenUsageBySessionId: {'s-2': usage},
				tags: [{name: 'a', metadata: {apiKey: 'opens-it', count: 7}}],
			},
		};
		const {cli, env} = await setUp(json(session));
		const {stdout} = await cli.run(['sessions', 'update', 's-1', '--model', 'm', '--json'], {env});
		const {sessionSettings} = session;
		expect(jsonLines(stdout)).toMatchObject([
			{
				...session,
				sessionSettings: {...sessionSettings, tags: [{name: 'a', metadata: {apiKey: '***', count: 7}}]},
			},
		]);
	});

	test('in the error of an install, its output and its session are masked in every command', async () => {
		const error = `git https://me:hunter22@host.example, relay ${relay.relayClientUrl}/opens-it`;
		const shown = 'git https://***@host.example, relay wss://relay.example/***';
		const install = {name: 'install', status: 'failed', error, installSessionId: 's-i', completedAt: 0};
		const session = {
			sessionId: 's-i',
			title: `Fix ${error}`,
			createdAt: 1_777_000_000_000,
			updatedAt: 1_777_000_000_000,
		};
		const output = (id: string) => ({
			id,
			content: [{text: `run ${error}\n${error}`}],
			createdAt: 1_777_000_000_000,
		});
		const outputs = [output('m-1')];
		const {cli, env} = await setUp((response, request) => {
			const messages = request.query.role ? [] : outputs;
			if (request.path.endsWith('/messages'))
				return json({messages, pagination: {hasMore: false}})(response, request);
			const reply = request.path.endsWith('/c-1')
				? {...computer, provisioningSteps: [install]}
				: {...session, computerId: 'c-1', status: 'idle'};
			return json(reply)(response, request);
		});
		const run = async (...args: string[]) => {
			const {stdout, stderr, code} = await cli.run(args, {env});
			const secret = /.*(?:hunter22|opens-it).*/.exec(stdout + stderr)?.[0];
			expect({args, code, secret}).toEqual({args, code: expect.any(Number), secret: undefined});
			return {stdout, stderr, code};
		};
		const watch = await run('computers', 'watch', 'c-1');
		expect(watch).toMatchObject({code: 1, stderr: `quarterdeck: install failed: ${shown}\n`});
		expect(watch.stdout).toContain(`    run ${shown}\n    ${shown}\n`);
		outputs.unshift(output('m-2'));
		const {stdout: watchJson} = await run('computers', 'watch', 'c-1', '--json');
		const watched = jsonLines(watchJson);
		expect(watched[0]).toMatchObject({id: 'm-2', content: [{text: `run ${shown}\n${shown}`}]});
		expect(watched.at(-1)).toMatchObject({id: 'c-1', provisioningSteps: [{error: shown}]});
		for (const [verb, ...args] of [['list'], ['get', 's-i'], ['wait', 's-i', '--for', 'failed']]) {
			await run('sessions', verb ?? '', ...args);
			const {stdout, code} = await run('sessions', verb ?? '', ...args, '--json');
			expect(code).toBe(0);
			expect(jsonLines(stdout)).toMatchObject([
				{sessionId: 's-i', quarterdeck: {state: 'failed', lastWords: shown}},
			]);
		}
		const waited = await run('sessions', 'wait', 's-i', '--for', 'failed');
		expect(waited.stdout).toContain(`  ${shown}\n`);
		// The user's own texts and the agents' are shown as they are.
		expect((await cli.run(['messages', 's-i'], {env})).stdout).toContain(`run ${error}`);
	});

	test('in the settings are masked, and a CSV cell stays JSON with its numbers', async () => {
		const model = {
			model: 'm',
			maxOutputTokens: 4096,
			apiKey: 'opens-it',
			extraHeaders: {'X-Team': 'opens-it'},
		};
		const changes = [
			{revision: 2, settings: {customModels: [model]}},
			{revision: 1, settings: {}},
		];
		const {cli, env} = await setUp(json({changes, pagination: {hasMore: false}}));
		const {stdout} = await cli.run(['controls', '--csv'], {env});
		expect(stdout).not.toContain('opens-it');
		const cell = /,added,,"(.*)"$/m.exec(stdout)?.[1]?.replaceAll('""', '"') ?? '';
		expect(JSON.parse(cell)).toEqual({
			model: 'm',
			maxOutputTokens: 4096,
			apiKey: '***',
			extraHeaders: {'X-Team': '***'},
		});
	});

	test("aren't suspected in the names of criteria", async () => {
		const report = {secret_scanning: {numerator: 1, denominator: 2, rationale: 'half'}};
		const {cli, env} = await setUp(
			json({reports: [{reportId: 'r', repoUrl: 'https://host.example/r', report}]}),
		);
		const {stdout} = await cli.run(['readiness', '--json'], {env});
		expect(jsonLines(stdout)).toMatchObject([{report}]);
	});
});
