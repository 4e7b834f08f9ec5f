import {openDatabase} from '../../src/db/open-database.ts';

/** A process that writes what a user types until it is killed, and says each write on stdout once it is kept. */
const [file = ''] = process.argv.slice(2);
const database = openDatabase({file});
if (database.problem) throw new Error(database.problem);
for (let count = 1; ; count++) {
	const text = `${count}`;
	database.drafts.put('s', {text, images: [], files: [], updatedAt: count});
	database.outbox.put({
		id: text,
		sessionId: 's',
		text,
		images: [],
		files: [],
		state: 'queued',
		createdAt: count,
		tries: 0,
	});
	database.messages.put('s', [{message: {id: text, createdAt: count, content: [{text: `word ${count}`}]}}]);
	process.stdout.write(`${count}\n`);
}
