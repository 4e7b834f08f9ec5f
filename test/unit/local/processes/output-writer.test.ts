import {randomUUID} from 'node:crypto';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import type {Save} from '../../../../src/local/background-work.ts';
import {createOutputWriter} from '../../../../src/local/processes/output-writer.ts';
import {openStorage, type Storage} from '../../../../src/local/storage/open-storage.ts';
import {temporaryFolder} from '../../../support/local-service.ts';

const save: Save = async write => write();

function openWithComputer(): {storage: Storage; newSession: () => string} {
	const storage = openStorage(temporaryFolder());
	onTestFinished(() => storage.close());
	const computerId = randomUUID();
	storage.computers.add({id: computerId, name: 'box', remoteUser: 'me', workspace: '/'}, []);
	const newSession = () => {
		const id = randomUUID();
		storage.sessions.add({id, computerId, cwd: '/', settings: {}, isInstall: false});
		return id;
	};
	return {storage, newSession};
}

const textsOf = (storage: Storage, sessionId: string) =>
	storage.messages
		.newest(sessionId, {limit: 1000})
		.toReversed()
		.map(({text}) => text);

test('output that is split anywhere comes out as it was', async () => {
	const {storage, newSession} = openWithComputer();
	const pieces = fc.array(fc.uint8Array({maxLength: 8}), {maxLength: 12});
	await fc.assert(
		fc.asyncProperty(fc.string({unit: 'grapheme'}), pieces, async (text, noise) => {
			const sessionId = newSession();
			const writer = createOutputWriter({storage, save}, {sessionId, role: 'assistant', isOutput: true});
			const bytes = Buffer.from(text);
			for (let at = 0; at < bytes.length; at += 1 + (noise[at % (noise.length || 1)]?.length ?? 0)) {
				const length = 1 + (noise[at % (noise.length || 1)]?.length ?? 0);
				writer.write(bytes.subarray(at, at + length), 'stdout');
			}
			await writer.end(undefined, false);
			expect(textsOf(storage, sessionId).join('')).toBe(text);
		}),
		{numRuns: 50},
	);
});

test.each([1024, 64 * 1024, 65_537, 1_000_000])(
	'of longer output in pieces of %i, the beginning and the end are kept, and what is left out is counted',
	async size => {
		const {storage, newSession} = openWithComputer();
		const sessionId = newSession();
		const writer = createOutputWriter({storage, save}, {sessionId, role: 'assistant', isOutput: true});
		const limit = 4 * 1024 * 1024;
		const sent = 'abcdefgh'.repeat(limit / 4);
		for (let at = 0; at < sent.length; at += size)
			writer.write(Buffer.from(sent.slice(at, at + size)), 'stdout');
		await writer.end('[exit 1]', true);
		const texts = textsOf(storage, sessionId);
		const [start = '', left = '', end = ''] = texts.join('').split(/\n\[([\d,]+) characters left out\]\n/);
		expect(start).toBe(sent.slice(0, limit));
		expect(end).toBe(`${sent.slice(-128 * 1024)}\n[exit 1]`);
		expect(left).toBe((sent.length - limit - 128 * 1024).toLocaleString('en'));
		for (const text of texts) expect(text.length).toBeLessThanOrEqual(256 * 1024);
	},
);

test('output that ends at the limit is complete', async () => {
	const {storage, newSession} = openWithComputer();
	const sessionId = newSession();
	const writer = createOutputWriter({storage, save}, {sessionId, role: 'assistant', isOutput: true});
	writer.write(Buffer.alloc(4 * 1024 * 1024, 'x'), 'stdout');
	await writer.end(undefined, false);
	expect(textsOf(storage, sessionId).join('').length).toBe(4 * 1024 * 1024);
});
