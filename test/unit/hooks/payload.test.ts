import fc from 'fast-check';
import {expect, test} from 'vitest';
import {readPayload} from '../../../hooks/payload.ts';
import {
	cleanClient,
	cutText,
	decodeEnvelope,
	type Envelope,
	encodeEnvelope,
	type HookData,
	maxLine,
	pickData,
	pickPayload,
	textFields,
} from '../../../hooks/wire.ts';
import {hookPayloads} from '../../support/hook-payloads.ts';

const allowed = new Set<string>([
	...textFields,
	'stop_hook_active',
	'background_tasks',
	'last_assistant_message',
	'damaged',
	'test',
]);

function envelope(data: HookData): Envelope {
	const id = '5e5e5e5e-0000-4000-8000-000000000000';
	return {v: 1, id, ts: 1_795_229_102_892, client: 'claude', event: 'Stop', pid: 2, agentPid: 1, data};
}

test('passes on only the listed fields', () => {
	const payload = {
		session_id: 's',
		prompt: 'p',
		tool_input: {command: 'rm'},
		tool_response: 'r',
		user_email: 'someone@example.org',
		background_tasks: [{command: 'secret'}, {}],
		stop_hook_active: false,
		last_assistant_message: 'words',
		quarterdeck_test: true,
		damaged: 'forged',
		test: true,
	};
	expect(pickPayload(payload, false)).toEqual({
		session_id: 's',
		background_tasks: 2,
		stop_hook_active: false,
		test: true,
	});
	expect(pickPayload({...payload, quarterdeck_test: 'yes'}, true)).toEqual({
		session_id: 's',
		background_tasks: 2,
		stop_hook_active: false,
		last_assistant_message: 'words',
	});
});

test("takes camelCase where the contract's spelling is missing", () => {
	expect(
		pickPayload({sessionId: 'camel', notificationType: 'idle_prompt', stopHookActive: true}, false),
	).toEqual({
		session_id: 'camel',
		notification_type: 'idle_prompt',
		stop_hook_active: true,
	});
	expect(pickPayload({sessionId: 'camel', session_id: 'snake'}, false).session_id).toBe('snake');
	expect(pickPayload({session_id: 'snake', sessionId: 'camel'}, false).session_id).toBe('snake');
	expect(pickPayload({session_id: null, sessionId: 'camel'}, false).session_id).toBe('camel');
});

test('a stub takes the real ids, not those quoted in a text', () => {
	const payload = JSON.stringify({
		prompt: '{"session_id":"forged"}',
		session_id: 'real',
		tool: 'x'.repeat(100),
	});
	const stub = readPayload(Buffer.from(payload.slice(0, -20)), false, false);
	expect(stub).toEqual({session_id: 'real', damaged: 'cut'});
});

test.each(hookPayloads.filter(({name}) => !name.includes('long')))('a payload $name', ({feed, data}) => {
	const bytes = Buffer.concat((feed('Stop').chunks ?? []).map(chunk => Buffer.from(chunk)));
	expect(readPayload(bytes, false, false)).toEqual(data('Stop'));
});

test('cuts texts between characters', () => {
	fc.assert(
		fc.property(fc.string({unit: 'binary', maxLength: 60}), fc.nat(80), (text, bytes) => {
			const cut = cutText(text, bytes);
			expect(text.startsWith(cut)).toBe(true);
			expect(Buffer.byteLength(cut)).toBeLessThanOrEqual(bytes);
			expect(Buffer.byteLength(text) <= bytes ? cut === text : Buffer.byteLength(cut) > bytes - 4).toBe(true);
		}),
	);
});

test('any bytes become an allowed payload', () => {
	const object = fc.dictionary(
		fc.constantFrom(...textFields, 'sessionId', 'prompt', '__proto__'),
		fc.jsonValue(),
	);
	const bytes = fc.oneof(
		fc.uint8Array({maxLength: 300}).map(array => Buffer.from(array)),
		object.map(value => Buffer.from(JSON.stringify(value))),
		fc.tuple(object, fc.nat(200)).map(([value, end]) => Buffer.from(JSON.stringify(value).slice(0, end))),
	);
	fc.assert(
		fc.property(bytes, fc.boolean(), (given, isCapped) => {
			const data = readPayload(given, isCapped, true);
			for (const key of Object.keys(data)) expect(allowed).toContain(key);
		}),
	);
});

test('an envelope is one line within its limit, and reads back as it was', () => {
	const text = fc.oneof(
		fc.string({unit: 'binary', maxLength: 200}),
		fc.constantFrom('\u0000'.repeat(4096), '界'.repeat(4096), '"\\\n'.repeat(2000)),
	);
	fc.assert(
		fc.property(fc.dictionary(fc.constantFrom(...textFields), text), payload => {
			const data = pickPayload(payload, true);
			const line = encodeEnvelope(envelope(data));
			expect(Buffer.byteLength(line)).toBeLessThanOrEqual(maxLine);
			expect(line.indexOf('\n')).toBe(line.length - 1);
			const decoded = decodeEnvelope(line);
			expect(Object.keys(decoded?.data ?? {}).sort()).toEqual(Object.keys(data).sort());
			if (Buffer.byteLength(JSON.stringify(envelope(data))) < maxLine) expect(decoded?.data).toEqual(data);
		}),
	);
});

test.each([
	'',
	'null',
	'[]',
	'{}',
	'{"v":1}',
	JSON.stringify({...envelope({}), id: '../../x'}),
	JSON.stringify({...envelope({}), ts: 'now'}),
	JSON.stringify({...envelope({}), data: null}),
	JSON.stringify({...envelope({}), v: 0}),
])("isn't an envelope: %s", line => {
	expect(decodeEnvelope(line)).toBeUndefined();
});

test('picks the allowed fields again from what came over the wire', () => {
	const hostile = {session_id: 's', prompt: 'p', damaged: 'cut', test: true, extra: {deep: 1}};
	expect(pickData(hostile)).toEqual({session_id: 's', damaged: 'cut', test: true});
	expect(decodeEnvelope(JSON.stringify({...envelope({}), client: '../x', pid: -1}))).toMatchObject({
		client: '',
		pid: 0,
	});
	expect(cleanClient('claude')).toBe('claude');
});
