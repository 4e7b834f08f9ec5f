import {randomUUID} from 'node:crypto';
import {expect, onTestFinished, test} from 'vitest';
import {openStorage} from '../../../../src/local/storage/open-storage.ts';
import {createTurnWriter} from '../../../../src/local/turns/turn-writer.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

test("of a turn beyond the limit, the agent's last words are kept, and what is left out is counted", async () => {
	const storage = openStorage(temporaryFolder());
	onTestFinished(() => storage.close());
	const [sessionId, computerId] = [randomUUID(), randomUUID()];
	storage.computers.add({id: computerId, name: 'box', remoteUser: 'me', workspace: '/'}, []);
	storage.sessions.add({id: sessionId, computerId, cwd: '/', settings: {}, isInstall: false});
	const writer = createTurnWriter(
		{storage, save: async write => write()},
		{sessionId, parentId: randomUUID()},
	);
	for (let index = 0; index < 100; index++) {
		writer.write({kind: 'tool-call', id: `${index}`, name: 'Bash', input: {command: `${index}`}});
		writer.write({kind: 'tool-result', id: `${index}`, text: 'x'.repeat(100_000), isError: false});
	}
	writer.write({kind: 'text', text: 'The conclusion.'});
	await writer.end(undefined, false);
	const texts = storage.messages
		.newest(sessionId, {limit: 1000})
		.toReversed()
		.map(({text}) => text);
	expect(texts.join('\n').trim()).toMatch(/^\[5,9\d\d,\d{3} characters left out\]\nThe conclusion\.$/);
});
