import fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {messageParts} from '../../../src/text/messages/message-parts.ts';
import {readTranscriptLine} from '../../../src/transcripts/transcript-line.ts';
import {agentLine, type LineFields, noteLine, userLine} from '../../support/transcripts.ts';

const read = (text: string) => readTranscriptLine(text, '7');
const message = (text: string) => {
	const found = read(text);
	if (found === undefined || found === 'unreadable') throw new Error(`no message: ${found}`);
	return found;
};
const system = (fields: LineFields) =>
	JSON.stringify({type: 'system', timestamp: '2026-11-01T00:00:00Z', ...fields});

describe('Claude Code', () => {
	test('reads words, thoughts, calls and results, and who wrote them', () => {
		expect(message(userLine('hello'))).toMatchObject({role: 'user', message: {content: [{text: 'hello'}]}});
		expect(message(agentLine('hi')).role).toBe('assistant');
		expect(message(agentLine('hi')).message.createdAt).toBeGreaterThan(0);
		const result = [{type: 'tool_result', tool_use_id: 't', content: 'out', is_error: true}];
		expect(message(userLine(result)).role).toBe('tool');
		const call = {type: 'tool_use', id: 't', name: 'Bash', input: {command: 'ls'}};
		expect(message(agentLine([call])).message.content).toEqual([call]);
		const thought = {type: 'thinking', thinking: 'hm', signature: 'abc'};
		expect(message(agentLine([thought])).message.content).toEqual([{type: 'thinking', thinking: 'hm'}]);
		expect(read(agentLine([{type: 'thinking', thinking: '', signature: 'abc'}]))).toBeUndefined();
		expect(message(agentLine('limit', {isApiErrorMessage: true})).message.isError).toBe(true);
	});

	test('reads the number of the first changed line from the result of an edit', () => {
		const result = [{type: 'tool_result', tool_use_id: 't', content: 'updated'}];
		const hunk = {oldStart: 4, newStart: 4, lines: [' a {', '-  b', '+  c', ' }']};
		const read = (patch: unknown) =>
			message(userLine(result, {toolUseResult: {structuredPatch: patch}})).message.content?.[0]?.firstChange;
		expect(read([hunk])).toEqual({text: '-  b', number: 5});
		expect(read([{...hunk, oldStart: 3}])).toBeUndefined();
		for (const odd of [undefined, [], [null], [{...hunk, lines: [1]}], [{...hunk, lines: [' a']}], 'x', {}])
			expect(read(odd)).toBeUndefined();
	});

	test('reduces an image to its type and size, wherever it is', () => {
		const source = {type: 'base64', media_type: 'image/png', data: 'A'.repeat(4000)};
		const {content = []} = message(userLine([{type: 'image', source}])).message;
		expect(JSON.stringify(content)).not.toContain('AAAA');
		expect(messageParts({id: 'x', content})).toEqual([
			{kind: 'attachment', word: 'image', type: 'image/png', bytes: 3000},
		]);
		const result = [{type: 'tool_result', tool_use_id: 't', content: [{type: 'image', source}]}];
		expect(JSON.stringify(message(userLine(result)))).not.toContain('AAAA');
		// Only images and files have data that nobody reads.
		const call = {type: 'tool_use', id: 't', name: 'put', input: {data: 'mine'}};
		expect(message(agentLine([call])).message.content).toEqual([call]);
	});

	test('accepts an image’s address of any shape', () => {
		const item = {type: 'image', image_url: {toString: 1, valueOf: 1}};
		expect(message(userLine([item])).message.content).toEqual([item]);
	});

	test("reads the client's commands as what the user typed, and their output as the client's", () => {
		const command =
			'<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args>opus</command-args>';
		expect(message(userLine(command))).toMatchObject({
			role: 'user',
			message: {content: [{text: '/model opus'}]},
		});
		expect(message(userLine('<bash-input>ls -l</bash-input>')).message.content).toEqual([
			{type: 'text', text: '! ls -l'},
		]);
		const output = message(userLine('<local-command-stdout>Set model</local-command-stdout>'));
		expect(output.role).toBeUndefined();
		expect(output.message).toMatchObject({author: 'system', content: [{text: 'Set model'}]});
		// The same words in the middle of a message are the user's.
		const asked = 'what is <command-name>x</command-name>?';
		expect(message(userLine(asked)).message.content).toEqual([{type: 'text', text: asked}]);
	});

	test('hides what the client adds, shows a compaction and folds its summary', () => {
		expect(message(userLine('Caveat: …', {isMeta: true})).message.isUserVisible).toBe(false);
		const boundary = system({subtype: 'compact_boundary', content: 'Conversation compacted', isMeta: false});
		expect(message(boundary).message).toMatchObject({
			author: 'system',
			content: [{text: 'Conversation compacted'}],
		});
		const fields = {isCompactSummary: true, isVisibleInTranscriptOnly: true};
		const {content = [], isUserVisible} = message(userLine('This session goes on from …', fields)).message;
		expect(isUserVisible).toBe(true);
		expect(messageParts({id: 'x', content})).toEqual([
			{kind: 'thinking', text: 'This session goes on from …', isSummary: true},
		]);
		expect(
			message(JSON.stringify({type: 'summary', summary: 'Fix the build', leafUuid: 'x'})).message,
		).toMatchObject({
			isUserVisible: false,
			author: 'system',
		});
	});

	test("tells a sub-agent from the agent, and its prompt from the user's", () => {
		expect(message(agentLine('found it', {isSidechain: true}))).toMatchObject({
			role: 'assistant',
			message: {author: 'sub-agent'},
		});
		expect(message(userLine('find it', {isSidechain: true}))).toMatchObject({
			role: 'assistant',
			message: {author: 'to sub-agent'},
		});
	});

	test('reads what the user wrote while the agent worked, and the files they added', () => {
		const attached = (attachment: LineFields) => JSON.stringify({type: 'attachment', attachment});
		expect(
			message(attached({type: 'queued_command', prompt: 'and this', commandMode: 'prompt'})),
		).toMatchObject({
			role: 'user',
			message: {content: [{text: 'and this'}]},
		});
		expect(message(attached({type: 'file', filename: 'a.ts', content: {}})).message.content).toEqual([
			{type: 'file', name: 'a.ts'},
		]);
		expect(read(attached({type: 'skill_listing', content: '- a'}))).toBeUndefined();
	});

	test('ignores bookkeeping', () => {
		for (const type of ['last-prompt', 'mode', 'queue-operation', 'file-history-snapshot', 'something-new'])
			expect(read(noteLine(type, {content: 'x'}))).toBeUndefined();
	});
});

describe('codex', () => {
	const item = (payload: LineFields) =>
		JSON.stringify({timestamp: '2026-11-01T00:00:00Z', type: 'response_item', payload});
	const words = (role: string, text: string) =>
		item({type: 'message', role, content: [{type: 'input_text', text}]});

	test('reads messages, reasoning, calls and results', () => {
		expect(message(words('user', 'hello'))).toMatchObject({
			role: 'user',
			message: {content: [{text: 'hello'}]},
		});
		expect(message(words('assistant', 'hi')).role).toBe('assistant');
		expect(message(words('developer', 'be kind')).message.isUserVisible).toBe(false);
		expect(
			message(words('user', '<environment_context>\n</environment_context>')).message.isUserVisible,
		).toBe(false);
		expect(
			message(item({type: 'reasoning', summary: [{type: 'summary_text', text: 'hm'}]})).message.content,
		).toEqual([{type: 'thinking', thinking: 'hm'}]);
		expect(read(item({type: 'reasoning', summary: [], encrypted_content: 'x'}))).toBeUndefined();
		const call = item({type: 'function_call', name: 'exec_command', arguments: '{"cmd":"ls"}', call_id: 'c'});
		expect(message(call).message.content).toEqual([
			{type: 'tool_use', id: 'c', name: 'exec_command', input: {cmd: 'ls'}},
		]);
		expect(message(item({type: 'function_call_output', call_id: 'c', output: 'a.ts'}))).toMatchObject({
			role: 'tool',
			message: {content: [{tool_use_id: 'c', content: 'a.ts'}]},
		});
	});

	test('ignores its events, which repeat the items', () => {
		for (const type of ['event_msg', 'turn_context', 'session_meta', 'world_state', 'token_usage_record'])
			expect(
				read(JSON.stringify({type, payload: {type: 'agent_message', message: 'again'}})),
			).toBeUndefined();
	});
});

test('reading a line never fails, whatever it contains', () => {
	const keys = fc.constantFrom(
		'type',
		'message',
		'content',
		'payload',
		'role',
		'timestamp',
		'isSidechain',
		'data',
		'text',
		'input',
		'attachment',
		'source',
		'__proto__',
	);
	const values = fc.constantFrom<unknown>(
		'user',
		'assistant',
		'system',
		'attachment',
		'message',
		'base64',
		'function_call_output',
		'response_item',
		null,
		1,
		true,
		[],
		'2026-11-01',
	);
	const {tree} = fc.letrec(tie => ({
		tree: fc.oneof(
			{depthSize: 'small'},
			values,
			fc.array(tie('tree'), {maxLength: 3}),
			fc.dictionary(keys, tie('tree'), {maxKeys: 5}),
		),
	}));
	fc.assert(
		fc.property(fc.dictionary(keys, tree, {maxKeys: 6}), line => {
			const found = read(JSON.stringify(line));
			if (typeof found === 'object') {
				expect(found.message.id).toBe('7');
				messageParts(found.message);
			}
		}),
		{numRuns: 200},
	);
	for (const text of ['', 'x', '[]', 'null', '"text"', '{"a":', '\u0000', '['.repeat(200_000)])
		expect(read(text)).toBe('unreadable');
	const deep = `{"type":"assistant","message":{"content":[{"type":"tool_use","name":"x","input":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}]}}`;
	expect(JSON.stringify(read(deep)).length).toBeLessThan(2000);
});
