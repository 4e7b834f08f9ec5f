import {expect, test} from 'vitest';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {assignRoles, explicitRole, isFilterHonored} from '../../../../src/domain/messages/roles.ts';

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

const answer = (ids: string[], covered: string[]) => ({ids: new Set(ids), covered: new Set(covered)});

test('the best evidence wins', () => {
	const messages: Message[] = [
		{id: 'a', role: 'assistant'},
		{id: 'b', provider1MessageId: 'p'},
		{id: 'c'},
		{id: 'd', provider1MessageId: 'p'},
		{id: 'e', role: 'critic'},
	];
	const roles = assignRoles(messages, {
		user: answer(['a', 'b', 'e'], []),
		tool: answer(['c'], []),
		own: new Set(['c', 'd']),
	});
	expect(Object.fromEntries(roles)).toEqual({a: 'assistant', b: 'user', c: 'tool', d: 'user'});
});

test.each([
	['user', 'tool', 'assistant'],
	['assistant', 'user', 'tool'],
	['assistant', 'tool', 'user'],
] as const)(
	'a message that neither %s nor %s includes is of %s, but only if both cover it',
	(one, other, third) => {
		const messages: Message[] = [{id: 'a'}, {id: 'b'}, {id: 'c'}];
		const both = {[one]: answer([], ['a', 'b']), [other]: answer([], ['b', 'c'])};
		expect(Object.fromEntries(assignRoles(messages, both))).toEqual({b: third});
		expect(assignRoles(messages, {[one]: answer([], ['a', 'b', 'c'])}).size).toBe(0);
		const all = {...both, [third]: answer([], ['b'])};
		expect(assignRoles(messages, all).size).toBe(0);
	},
);

test('notices that a service ignores the filter', () => {
	expect(isFilterHonored({user: [{id: 'a'}], tool: [{id: 'b'}]})).toBe(true);
	expect(isFilterHonored({user: [{id: 'a'}], assistant: [{id: 'a'}]})).toBe(false);
	expect(isFilterHonored({user: [{id: 'a', chatCompletionReasoningContent: 'hm'}]})).toBe(false);
});
