import {expect, test} from 'vitest';
import {
	explicitRole,
	isOfOtherRole,
	type Message,
	type MessageRole,
} from '../../../../src/domain/messages/message.ts';

test.each<[string, Partial<Message>, ReturnType<typeof explicitRole>]>([
	['an explicit role', {role: 'User'}, {role: 'user', isExplicit: true}],
	['another word for one', {role: 'human'}, {role: 'user', isExplicit: true}],
	['a word of its own', {role: 'system'}, {isExplicit: true}],
	['provider fields', {provider1ReasoningId: 'r'}, {role: 'assistant', isExplicit: true}],
	['an empty provider field', {provider2ThoughtSignature: ''}, {isExplicit: false}],
	['reasoning', {chatCompletionReasoningContent: 'hm'}, {role: 'assistant', isExplicit: true}],
	['a tool call', {content: [{type: 'tool_use'}]}, {role: 'assistant', isExplicit: true}],
	['a tool result', {content: [{type: 'tool_result'}]}, {role: 'tool', isExplicit: true}],
	['a bare tool result', {content: [{tool_use_id: 't'}]}, {role: 'tool', isExplicit: true}],
	['bare text', {content: [{text: 'x'}]}, {isExplicit: false}],
	['nothing', {}, {isExplicit: false}],
])('%s', (_name, fields, reported) => {
	expect(explicitRole({id: 'm', ...fields})).toEqual(reported);
});

test.each<[string, MessageRole, Partial<Message>, boolean]>([
	['the role itself', 'user', {role: 'human'}, false],
	['another role', 'user', {role: 'tool'}, true],
	['nothing', 'user', {}, false],
	['a sign of the assistant', 'tool', {chatCompletionReasoningContent: 'hm'}, true],
	["a result among the user's", 'user', {content: [{type: 'tool_result'}]}, false],
	["a result among the assistant's", 'assistant', {content: [{type: 'tool_result'}]}, true],
])('a list that ignores its filter shows: %s', (_name, role, fields, isOther) => {
	expect(isOfOtherRole({id: 'm', ...fields}, role)).toBe(isOther);
});
