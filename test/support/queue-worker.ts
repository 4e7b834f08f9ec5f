import {appendFileSync} from 'node:fs';
import {setTimeout as wait} from 'node:timers/promises';
import {isStorageError} from '../../src/db/file/storage-error.ts';
import {openDatabase} from '../../src/db/open-database.ts';

/**
 * A process that queues `count` messages and sends whatever is queued, its own or another's, until it has seen all
 * `total` of them accepted. A line in `posts` stands for a post.
 */
const [file = '', posts = '', owner = '', count = '0', total = '0'] = process.argv.slice(2);
// It ends with the test that started it.
process.stdin.resume().once('end', () => process.exit(1));

let database = openDatabase({file});
// The others are writing all the time, and a program that starts doesn't wait long.
while (database.problem) {
	database.close();
	database = openDatabase({file});
}
const {outbox} = database;

/** As the sender does: what can't be written now is tried again. */
async function untilWritten<T>(write: () => T): Promise<T> {
	for (;;) {
		try {
			return write();
		} catch (error) {
			if (!isStorageError(error) || error.reason !== 'busy') throw error;
			await wait(20);
		}
	}
}

for (let index = 0; index < Number(count); index++) {
	const id = `${owner}-${index}`;
	const text = `text ${id} ${'x'.repeat(500)}`;
	const item = {id, sessionId: id, text, images: [], files: [], createdAt: index, tries: 0};
	await untilWritten(() => outbox.put({...item, state: 'queued'}));
	await send();
}
while (outbox.all(['accepted']).length < Number(total)) {
	await send();
	await wait(5);
	database.peerWriteCount();
	database.drafts.get('s');
}
database.close();
process.exit(0);

async function send(): Promise<void> {
	for (const {id} of outbox.states().filter(({state}) => state === 'queued')) {
		const claimed = await untilWritten(() =>
			outbox.exclusively(() => {
				const item = outbox.get(id);
				if (item?.state !== 'queued' || !outbox.lease(id, owner, Date.now() + 60_000)) return undefined;
				outbox.put({...item, state: 'sending'});
				return item;
			}),
		);
		if (!claimed) continue;
		appendFileSync(posts, `${id}\n`);
		await wait(1);
		await untilWritten(() => outbox.put({...claimed, state: 'accepted', messageId: id}));
		await untilWritten(() => outbox.release(id, owner));
	}
}
