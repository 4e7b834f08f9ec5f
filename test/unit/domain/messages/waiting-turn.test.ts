import {expect, test} from 'vitest';
import type {OutboxItem} from '../../../../src/domain/messages/delivery.ts';
import {waitingForTurn} from '../../../../src/domain/messages/delivery.ts';
import type {Message, MessageRole} from '../../../../src/domain/messages/message.ts';
import type {StreamEntry} from '../../../../src/state/stream.ts';
import {streamItems} from '../../../../src/ui/stream/stream-items.ts';

const posted: OutboxItem = {
	id: 'o',
	sessionId: 's',
	text: 'and then this',
	images: [],
	files: [],
	state: 'seen',
	createdAt: 1,
	tries: 1,
	messageId: 'mine',
	isBehind: true,
};

function after(role: MessageRole | undefined, more: Partial<Message> = {}): StreamEntry & {kind: 'message'} {
	const message = {id: `x${more.parentId}`, ...more};
	return {kind: 'message', id: message.id, version: 1, message, ...(role && {role})};
}

test.each<[string, Partial<OutboxItem>, boolean, ReturnType<typeof after>[], boolean, Partial<Message>?]>([
	['nothing came since', {}, true, [], true],
	['not listed yet', {state: 'accepted'}, true, [], true],
	['the session is no longer at work', {}, false, [], false],
	['the session was idle when it was taken', {isBehind: false}, true, [], false],
	['what came answers it', {}, true, [after('assistant', {parentId: 'mine'})], false],
	['what came belongs to something earlier', {}, true, [after('tool', {parentId: 'before'})], true],
	['what came names the first message', {}, true, [after('tool', {parentId: 'first'})], false],
	['what came names an unknown message', {}, true, [after('tool', {parentId: 'unknown'})], false],
	[
		'the service says so, and what came names the first message',
		{},
		true,
		[after('tool', {parentId: 'first'})],
		true,
		{isWaiting: true},
	],
	['what came may answer it', {}, true, [after('assistant')], false],
	['the user wrote again', {}, true, [after('user')], true],
	['the service says so', {}, true, [], true, {isWaiting: true}],
	['the service says that its turn has begun', {}, true, [], false, {isWaiting: false}],
	['the service does not have it', {state: 'queued'}, true, [], false],
])('%s', (_, change, isAtWork, since, expected, own = {}) => {
	const item = {...posted, ...change};
	const message = {id: 'mine', ...own};
	const mine = {kind: 'message', id: 'mine', version: 1, role: 'user', message} as const;
	const earlier = ['first', 'before'].map(id => ({...mine, id, message: {id}}));
	const messages = item.state === 'seen' ? [...earlier, mine, ...since] : [];
	if (isAtWork) expect(waitingForTurn([item], messages)).toEqual(expected ? [item] : []);
	const {messageId: _id, ...unsent} = posted;
	const next = {...unsent, id: 'next', state: 'queued', isBehind: false} as const;
	const items = streamItems(messages, [item, next], false, isAtWork);
	expect(items.find(({outbox}) => outbox?.id === 'o')?.turn).toBe(expected ? 'waits' : undefined);
	expect(items.at(-1)?.turn).toBe(expected ? 'next' : undefined);
});
