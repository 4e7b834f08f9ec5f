import {describe, expect, test} from 'vitest';
import {jsonLines} from '../support/cli.ts';
import {json} from '../support/replies.ts';
import {servedCli as setUp} from '../support/served-cli.ts';

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
