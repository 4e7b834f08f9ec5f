import {expect, test} from 'vitest';
import {answerTo} from '../../../../src/commands/send/wait-for-answer.ts';
import type {MessageRole} from '../../../../src/domain/messages/message.ts';

/** Messages as `role id parent`, of which `u2` is ours; the service makes one with `waits` wait, and made one with `waited`. */
const items = (list: string) =>
	list.split(', ').map(text => {
		const [role, id = '', parentId, waits] = text.split(' ');
		const message = {id, parentId, isWaiting: waits === undefined ? undefined : waits === 'waits'};
		return {id, version: 1, role: role as MessageRole, message};
	});

test.each<[string, string, string, boolean?]>([
	['what follows it', 'user u1, assistant a1, user u2, assistant a2, tool t2', 'a2 t2'],
	['nothing, while it is last', 'user u1, assistant a1, user u2', ''],
	['nothing, if it is unknown', 'user u1, assistant a1', ''],
	['what is before the next message', 'user u2, assistant a2, user u3, assistant a3', 'a2'],
	['all, while the next waits', 'user u2, assistant a2, user u3 u1 waits, tool t2', 'a2 t2'],
	['what names it, behind another', 'user u2, user u3, assistant a2 u2, assistant a3 u3', 'a2'],
	['what names it, after another', 'user u1, user u2, assistant a1 u1, assistant a2 u2', 'a2'],
	['all, if all name the first', 'user u1, assistant a1 u1, user u2 u1, assistant a2 u1', 'a2'],
	['not what ends the turn before', 'user u0, assistant a0 u0, user u1 u0, user u2 u0, assistant a1 u1', ''],
	['not that of the first, if it waited', 'user u1, user u2 u1 waited, assistant a1 u1', ''],
	['not that of the first, if older ones are unread', 'user u1, user u2 u1, assistant a1 u1', '', true],
])('the answer to a message is %s', (_, list, answer, hasOlder = false) => {
	const found = answerTo('u2', items(list), hasOlder);
	expect(found.map(({id}) => id).join(' ')).toBe(answer);
});
