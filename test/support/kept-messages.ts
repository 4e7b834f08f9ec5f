import type {Database} from '../../src/db/database.ts';
import {createConnection} from '../../src/db/file/connection.ts';
import {openMemory} from '../../src/db/file/open-file.ts';
import {MessageWatch} from '../../src/db/messages/message-watch.ts';
import {messagesTable} from '../../src/db/messages/messages.ts';

type Messages = Database['messages'];

/** The messages as the database keeps them, in memory; as another program writes them; and their end. */
export function keptMessages(): {readonly messages: Messages; readonly elsewhere: Messages; close(): void} {
	const connection = createConnection(openMemory(), {now: Date.now});
	return {
		messages: messagesTable(connection, new MessageWatch()),
		elsewhere: messagesTable(connection, new MessageWatch()),
		close: () => connection.close(),
	};
}
