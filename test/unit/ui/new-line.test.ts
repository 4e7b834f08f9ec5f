import {expect, test} from 'vitest';
import type {MessageRole} from '../../../src/domain/messages/message.ts';
import type {StreamEntry} from '../../../src/state/stream.ts';
import {newLineOf} from '../../../src/ui/stream/stream-items.ts';

/** `u` user, `a` assistant, `t` tool, `h` hidden assistant, `?` unknown, `-` gap; ids are `m0`, `m1` ... */
function entries(history: string): StreamEntry[] {
	const roles: Record<string, MessageRole> = {u: 'user', a: 'assistant', t: 'tool', h: 'assistant'};
	return [...history].map((letter, index): StreamEntry => {
		const id = `m${index}`;
		if (letter === '-') return {kind: 'gap', id, version: 1};
		const role = roles[letter];
		const message = {id, ...(letter === 'h' && {isUserVisible: false})};
		return {kind: 'message', id, version: 1, message, ...(role && {role})};
	});
}

test.each([
	['two answers', 'uaaa', {newestId: 'm3', unread: 2}, {id: 'm2', count: 2}],
	['tools and hidden messages are not counted', 'uataha', {newestId: 'm5', unread: 2}, {id: 'm3', count: 2}],
	['nothing', 'uaa', {newestId: 'm2', unread: 0}, undefined],
	['what came after the count', 'uaaa', {newestId: 'm2', unread: 1}, {id: 'm2', count: 2}],
	['a newest message that is gone', 'uaaa', {newestId: 'gone', unread: 1}, {id: 'm3', count: 1}],
	['more than is loaded', 'aa', {newestId: 'm1', unread: 5}, {id: 'm0', count: 2, isPartial: true}],
	[
		'a count that is itself partial',
		'-aa',
		{newestId: 'm2', unread: 2, isUnreadPartial: true},
		{id: 'm1', count: 2, isPartial: true},
	],
	['roles that are not known yet', 'u??', {newestId: 'm2', unread: 1}, undefined],
])('puts the line above the first unread message: %s', (_, history, activity, line) => {
	expect(newLineOf(entries(history), activity)).toEqual(line && {isPartial: false, ...line});
});

test('a session that was never read has no line', () => {
	expect(newLineOf(entries('ua'), undefined)).toBeUndefined();
});
