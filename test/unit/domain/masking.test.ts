import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isSecretName, masked, maskSecrets, maskText} from '../../../src/domain/masking.ts';

test.each([
	'apiKey',
	'API_KEY',
	'extraHeaders',
	'relayClientUrl',
	'githubToken',
	'clientSecret',
	'Authorization',
	'privateKey',
	'--token',
	'dbPassword',
	'cloudCredentialExport',
])('%s is a secret', name => expect(isSecretName(name)).toBe(true));
test.each([
	'key',
	'model',
	'includeCoAuthoredByAgent',
	'baseUrl',
	'tokenizer',
	'extraArgs',
	'allowedBaseUrls',
	'tokenUsage',
	'childInclusiveTokenUsageBySessionId',
	'token_count',
])("%s isn't a secret", name => expect(isSecretName(name)).toBe(false));

test('numbers, booleans and nothing are no secrets, whatever their name and at any depth', () => {
	const facts = {
		authLevel: 3,
		password_min_length: 12,
		tokensPerDay: 8,
		signatureCount: 4,
		hasPassword: true,
		apiKey: null,
		secrets: {perTeam: [1, 2], isShared: false},
	};
	expect(maskSecrets(facts)).toEqual(facts);
	expect(maskSecrets({metadata: {...facts, secret: 'opens-it'}})).toEqual({
		metadata: {...facts, secret: masked},
	});
	expect(maskSecrets(['--auth-level', 3])).toEqual(['--auth-level', 3]);
});

test('shows a custom model without its secrets', () => {
	const model = {
		model: 'model-x',
		index: 0,
		baseUrl: 'https://me:hunter22@models.example/v1',
		apiKey: 'very-secret',
		maxOutputTokens: 4096,
		enableThinking: true,
		extraHeaders: {'X-Team': 'blue', Authorization: ['a', 'b']},
		extraArgs: {env: {DEPLOY_TOKEN: 'very-secret'}, args: ['--api-key', 'very-secret', '--port', '80']},
	};
	expect(maskSecrets({customModels: [model]})).toEqual({
		customModels: [
			{
				model: 'model-x',
				index: 0,
				baseUrl: `https://${masked}@models.example/v1`,
				apiKey: masked,
				maxOutputTokens: 4096,
				enableThinking: true,
				extraHeaders: {'X-Team': masked, Authorization: [masked, masked]},
				extraArgs: {env: {DEPLOY_TOKEN: masked}, args: ['--api-key', masked, '--port', '80']},
			},
		],
	});
});

test.each([
	['curl -H "Authorization: Bearer abcdefghij"', 'abcdefghij'],
	['deploy --token=abcdefghij now', 'abcdefghij'],
	['deploy --token abcdefghij now', 'abcdefghij'],
	['https://host/path?access_token=abcdefghij&x=1', 'abcdefghij'],
	['API_KEY="abcdefghij" run', 'abcdefghij'],
	['{"apiKey": "abcdefghij"}', 'abcdefghij'],
	['sk-abcdefghij1234', 'abcdefghij'],
	['ghp_abcdefghij1234567890', 'abcdefghij'],
])('%s loses its secret', (text, secret) => {
	expect(maskText(text)).not.toContain(secret);
	expect(maskText(text)).toContain(masked);
});

test.each([
	'Renamed fk_orders_customer_id',
	'npm test -- --run',
	'git commit -m "token count"',
	'https://host.example/team/repo',
	'a=1&b=2',
])('%s stays as it is', text => expect(maskText(text)).toBe(text));

test.each([
	'{"maxOutputTokens":4096}',
	'{"model": "m", "maxOutputTokens": 4096, "nested": {"input_tokens": 1.5}}',
	'[{"tokenUsage":{"serviceCredits":2}}]',
	'uses "maxTokens": 4096}, and more',
	'--max-tokens 4096',
	'{"authLevel": 3, "hasPassword": true, "apiKey": null}',
	'was cut: {"authLevel": 3, "signature_count": -1.5e3, "hasPassword": true, "apiKey": null, "mo',
])('%s keeps its numbers', text => expect(maskText(text)).toBe(text));

test.each([
	['{"apiKey":"a b","n":1}', `{"apiKey":"${masked}","n":1}`],
	['{"apiKey":"12345","n":1}', `{"apiKey":"${masked}","n":1}`],
	['{"note":"dial wss://h/c/abc","n":1}', `{"note":"dial wss://h/${masked}","n":1}`],
	['was cut: {"note":"wss://h/c/abc","n":1,"mo', `was cut: {"note":"wss://h/${masked}","n":1,"mo`],
	[
		'was cut: {"text":"{\\"url\\":\\"wss://h/c/abc\\"}","mo',
		`was cut: {"text":"{\\"url\\":\\"wss://h/${masked}\\"}","mo`,
	],
	['{"secret":{"deep":["x"]},"n":[1,2]}', `{"secret":{"deep":["${masked}"]},"n":[1,2]}`],
])('%s keeps the notation of JSON', (text, shown) => expect(maskText(text)).toBe(shown));

test.each([
	["deploy --token 'two words' now", `deploy --token '${masked}' now`],
	['PASSWORD="two \\" words" run', `PASSWORD="${masked}" run`],
	['config {"password": "two words"} was read', `config {"password": "${masked}"} was read`],
])('%s loses its whole quoted secret', (text, shown) => expect(maskText(text)).toBe(shown));

test.each([
	['relay wss://relay.example/c/abc123', `relay wss://relay.example/${masked}`],
	['WS://127.0.0.1:99/abc123?x=1#y now', `WS://127.0.0.1:99/${masked} now`],
	['wss://relay.example?ticket=abc123', `wss://relay.example?${masked}`],
	['wss://relay.example#abc123', `wss://relay.example#${masked}`],
	['wss://me:abc123@relay.example/abc123', `wss://${masked}@relay.example/${masked}`],
	['<wss://relay.example/abc123>, "ws://h/abc123"', `<wss://relay.example/${masked}>, "ws://h/${masked}"`],
	['ws://localhost:5173/ and wss://relay.example', 'ws://localhost:5173/ and wss://relay.example'],
])('of the relay URL in %s, only the host is shown', (text, shown) => {
	expect(maskText(text)).toBe(shown);
	expect(maskText(shown)).toBe(shown);
	expect(maskSecrets({error: text})).toEqual({error: shown});
});

test('shows criteria of a readiness report that are named like a secret', () => {
	const report = {secret_scanning: {numerator: 1, denominator: 2, rationale: 'key=abcdef; token=opens-it'}};
	expect(maskSecrets({reportId: 'r', report, apps: {secrets: {description: 'keeps them'}}})).toEqual({
		reportId: 'r',
		report: {secret_scanning: {numerator: 1, denominator: 2, rationale: `key=abcdef; token=${masked}`}},
		apps: {secrets: {description: 'keeps them'}},
	});
});

test('no secret survives at any depth, and nothing else is lost', () => {
	const secret = 'c4n4ry-v4lue';
	const tree = fc.letrec<{node: unknown}>(tie => ({
		node: fc.oneof(
			{depthSize: 'small'},
			fc.constantFrom<unknown>(1, true, null, 'plain'),
			fc.record({apiKey: fc.constant(secret), other: tie('node')}),
			fc.record({
				extraHeaders: fc.dictionary(fc.constantFrom('a', 'b'), fc.constant(secret)),
				list: fc.array(tie('node')),
			}),
		),
	})).node;
	fc.assert(
		fc.property(tree, value => {
			const shown = JSON.stringify(maskSecrets(value));
			expect(shown).not.toContain(secret);
			expect(shown).toBe(JSON.stringify(value).replaceAll(secret, masked));
		}),
	);
});
