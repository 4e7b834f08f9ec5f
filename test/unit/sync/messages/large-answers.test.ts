import {join} from 'node:path';
import {expect, test} from 'vitest';
import {openDatabase} from '../../../../src/db/open-database.ts';
import type {Message} from '../../../../src/domain/messages/message.ts';
import {createTimeline} from '../../../../src/domain/messages/timeline.ts';
import type {ReadPage} from '../../../../src/sync/messages/listing.ts';
import {MessageWindow} from '../../../../src/sync/messages/message-window.ts';
import {createRoleReader} from '../../../../src/sync/messages/role-reader.ts';
import {readRecentUserMessages} from '../../../../src/sync/outbox/outbox-lookup.ts';
import {fakeClock} from '../../../support/fake-clock.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

/** More than a call takes arguments, and possible in 8 MiB of JSON. */
const count = 150_000;
const at = 1_790_000_000_000;

/** Messages of one time, oldest first. */
const messages = Array.from({length: count}, (_, index): Message => ({id: `m${index}`, createdAt: at}));
const read: ReadPage = async () => ({items: messages, hasMore: false, skipped: 0});
const noMessages = async () => ({items: [], hasMore: false, skipped: 0});

test('adds a page of messages with the same time in its order', () => {
	const timeline = createTimeline();
	timeline.upsert([{message: {id: 'first', createdAt: at - 1}}], 'newer');
	timeline.upsert([{message: {id: 'last', createdAt: at + 1}}], 'newer');
	timeline.upsert(
		messages.map(message => ({message})),
		'newer',
	);
	const ids = timeline.items().map(({id}) => id);
	expect(ids).toHaveLength(count + 2);
	expect([ids[0], ids[1], ids[10_001], ids[count], ids[count + 1]]).toEqual([
		'first',
		'm0',
		'm10000',
		`m${count - 1}`,
		'last',
	]);
});

test('reads lists by role', async () => {
	const database = openDatabase({file: join(temporaryFolder(), 'kept.db')});
	const messageWindow = new MessageWindow('s', database, write => write());
	messageWindow.setListingState({pageOrder: 'newest-first'});
	const roles = createRoleReader({messageWindow, clock: fakeClock(), ownIds: () => new Set()});
	const readUsers: ReadPage = query => (query.role === 'user' ? read(query) : noMessages());
	const subjects = messages.map(message => ({id: message.id, message}));
	expect((await roles.resolve(readUsers, subjects)).size).toBe(count);
	database.close();
});

test('reads recent messages of the user', async () => {
	const recent = await readRecentUserMessages(read, {}, {since: 0, pageOrder: 'newest-first'});
	expect(recent.messages).toEqual(messages);
});
