import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import type {Ask} from '../../../../hooks/ask-wire.ts';
import type {JsonObject} from '../../../../hooks/json.ts';
import {noOption, onceOption} from '../../../../src/domain/sessions/agent-request.ts';
import {hookRequest} from '../../../../src/domain/sessions/hook-request.ts';

const request = (tool: string, input: JsonObject, more: Partial<Ask> = {}) =>
	hookRequest({
		v: 1,
		id: 'request-1',
		ts: 5,
		client: 'claude',
		event: 'PermissionRequest',
		pid: 1,
		agentPid: 2,
		data: {session_id: 's'},
		tool,
		input,
		suggestions: [],
		...more,
	});

describe('the text of a request', () => {
	test.each<[string, JsonObject, string, string]>([
		[
			'Bash',
			{command: 'make\nmake install', description: 'install', timeout: 5, dangerouslyDisableSandbox: true},
			'make\nmake install\n\ndescription: install\ntimeout: 5\ndangerouslyDisableSandbox: true',
			'Bash: make',
		],
		[
			'Write',
			{file_path: '/a', content: 'x\ny\n'},
			'--- /a\n+++ /a\n@@ the whole file @@\n+x\n+y',
			'Write: /a',
		],
		[
			'Edit',
			{file_path: '/a', old_string: 'a\nb\nc', new_string: 'a\nB\nc', replace_all: true},
			'--- /a\n+++ /a\n@@ replaced @@\n a\n-b\n+B\n c\n\nreplace_all: true',
			'Edit: /a',
		],
		[
			'MultiEdit',
			{file_path: '/a', edits: [{old_string: 'a', new_string: 'b', replace_all: true}]},
			'--- /a\n+++ /a\n@@ replaced @@\n-a\n+b\nreplace_all: true',
			'MultiEdit: /a',
		],
		['MultiEdit', {file_path: '/a', edits: [null]}, 'file_path: /a\nedits: [null]', 'MultiEdit: /a'],
		['WebFetch', {url: 'http://x', n: [1]}, 'url: http://x\nn: [1]', 'WebFetch: http://x'],
		['mcp__x', {}, '', 'mcp__x'],
		['mcp__x', {command: 'add', description: 'd'}, 'add\n\ndescription: d', 'mcp__x: add'],
		['Bash', {command: ['rm']}, 'command: ["rm"]', 'Bash: ["rm"]'],
	])('%s %#', (tool, input, text, title) => {
		expect(request(tool, input)).toMatchObject({text, title, tool, options: [onceOption, noOption]});
	});

	test.each([
		[{command: 'a\n\nb: c'}, {command: 'a', b: 'c'}],
		[{command: 'a\n \nb: c'}, {command: 'a', b: 'c'}],
		[{'a: b\nc': 'd'}, {a: 'b', c: 'd'}],
	])('differs from that of other input: %j', (one, other) => {
		const plain = (input: JsonObject) => request('Tool', input)?.text?.replace(/[^\S\n]+$/gm, '');
		expect(plain(one)).not.toBe(plain(other));
	});

	test('holds every value of the input, or can only be denied', () => {
		const value = fc.oneof(fc.string({maxLength: 40}), fc.integer(), fc.boolean());
		const name = fc.constantFrom('command', 'file_path', 'content', 'old_string', 'new_string', 'url', 'x');
		fc.assert(
			fc.property(fc.dictionary(name, value), input => {
				const {text = ''} = request('Tool', input) ?? {};
				for (const one of Object.values(input))
					for (const line of `${one}`.split('\n')) expect(text).toContain(line);
			}),
		);
		const long = request(
			'Write',
			{file_path: '/a', content: 'x\n'.repeat(100_000)},
			{suggestions: [{type: 'x'}]},
		);
		expect(long?.options).toEqual([noOption]);
		expect(long?.text).toContain('too long to be allowed here');
	});

	test("doesn't exist without a session", () => {
		expect(request('Bash', {command: 'ls'}, {data: {}})).toBeUndefined();
	});
});
