import fc from 'fast-check';
import {expect, test} from 'vitest';
import {isServiceError} from '../../../src/api/errors.ts';
import {readErrorBody} from '../../../src/api/http/response-error.ts';
import type {Service} from '../../../src/api/service.ts';
import {parseJson} from '../../../src/domain/parse-json.ts';
import {body} from '../../support/replies.ts';
import {runToEnd} from '../../support/run-to-end.ts';
import {setUpHarness} from './harness.ts';

const harness = setUpHarness();
const range = {startDate: '2026-02-01', endDate: '2026-02-02'};

const calls: readonly ((service: Service) => Promise<unknown>)[] = [
	s => s.computers.get('c'),
	s => s.computers.installDeps('c'),
	s => s.sessions.create({computerId: 'c'}),
	s => s.messages.list('s'),
	s => s.messages.add('s', {text: 'x'}),
	s => s.users.list(),
	s => s.controls.history(),
	s => s.readiness.list(),
	s => s.analytics.tokens(range),
	s => s.analytics.tools(range),
	s => s.analytics.activity(range),
	s => s.analytics.productivity(range),
	s => s.analytics.users(range),
];

/** Values built around the contract's own keys, so that they get past the first look. */
const key = fc.constantFrom(
	...['id', 'sessionId', 'messageId', 'reportId', 'user_id', 'date', 'revision', 'content', 'text', 'type'],
	...[
		'messages',
		'users',
		'changes',
		'reports',
		'data',
		'meta',
		'pagination',
		'hasMore',
		'nextCursor',
		'settings',
	],
	...['provisioningSteps', 'createdAt', 'sessionSettings', 'tags', 'apps', 'report', 'by_model', 'by_user'],
	...[
		'__proto__',
		'constructor',
		'toString',
		'hasOwnProperty',
		'then',
		'length',
		'error',
		'detail',
		'errors',
	],
);
const {value} = fc.letrec<{value: unknown}>(tie => ({
	value: fc.oneof(
		{maxDepth: 5},
		fc.constantFrom(null, true, false, '', 'x', 0, -1, 1e12, '2026-02-01', '\u0000', '\ud800'),
		fc.array(tie('value'), {maxLength: 4}),
		fc.array(fc.tuple(key, tie('value')), {maxLength: 6}).map(pairs => Object.fromEntries(pairs)),
		fc.jsonValue({maxDepth: 2}),
	),
}));

test('any JSON with any status yields an answer or one of our errors, and never a second request', async () => {
	// 500 and 429 would be repeated; that is shown elsewhere.
	const status = fc.constantFrom(200, 201, 204, 302, 400, 401, 403, 404, 422);
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...calls), value, status, async (call, answer, code) => {
			const before = harness.server.requests.length;
			harness.server.answer(body(JSON.stringify(answer) ?? '', code));
			const outcome = await call(harness.service).then(
				() => 'answer',
				error => (isServiceError(error) ? 'expected' : error),
			);
			expect(['answer', 'expected']).toContain(outcome);
			expect(harness.server.requests.length - before).toBe(1);
			if (code >= 300) expect(outcome).toBe('expected');
		}),
		{numRuns: 200},
	);
	expect(Object.keys(Object.prototype)).toEqual([]);
});

test('any bytes yield an answer or one of our errors', async () => {
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...calls), fc.uint8Array({maxLength: 200}), async (call, bytes) => {
			harness.server.answer(body(Buffer.from(bytes)));
			const outcome = await call(harness.service).then(
				() => 'answer',
				error => (isServiceError(error) ? 'expected' : error),
			);
			expect(['answer', 'expected']).toContain(outcome);
		}),
		{numRuns: 100},
	);
});

test('parses like JSON.parse, except for __proto__', () => {
	const json = fc.jsonValue().map(one => JSON.stringify(one));
	fc.assert(
		fc.property(fc.oneof(json, fc.string()), text => {
			const parsed = runToEnd(parseJson(Buffer.from(text))).result;
			let expected: unknown;
			try {
				expected = JSON.parse(Buffer.from(text).toString());
			} catch {
				expect(parsed).toHaveProperty('why');
				return;
			}
			if (text.includes('__proto__')) return;
			expect(parsed).toEqual({value: expected});
		}),
	);
	for (const name of ['__proto__', String.raw`\u005f_proto__`]) {
		const {result} = runToEnd(parseJson(Buffer.from(`[{"${name}": {"a": 1}, "b": 2}]`)));
		expect(JSON.stringify(result)).toBe('{"value":[{"b":2}]}');
	}
});

test('counts nesting only outside of strings', () => {
	const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
	expect(runToEnd(parseJson(deep(500))).result).toHaveProperty('value');
	expect(runToEnd(parseJson(deep(501))).result).toHaveProperty('why');
	expect(runToEnd(parseJson(Buffer.from(JSON.stringify(`\\"${'['.repeat(1000)}`)))).result).toHaveProperty(
		'value',
	);
});

test('the message of any error body is one short line without control characters', () => {
	const text = fc.oneof(
		fc.string({unit: 'binary'}),
		value.map(one => JSON.stringify(one) ?? ''),
	);
	fc.assert(
		fc.property(text, one => {
			const {message = ''} = readErrorBody(one, same => same);
			expect(message).not.toMatch(/[\p{C}\n]/u);
			expect(message.length).toBeLessThanOrEqual(300);
		}),
		{numRuns: 200},
	);
});
