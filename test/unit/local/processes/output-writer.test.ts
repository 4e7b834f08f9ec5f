import {randomUUID} from 'node:crypto';
import fc from 'fast-check';
import {expect, onTestFinished, test} from 'vitest';
import {createOutputWriter} from '../../../../src/local/processes/output-writer.ts';
import type {Save} from '../../../../src/local/save.ts';
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
		.walk(sessionId, {order: 'oldest-first', limit: 1000, until: Number.MAX_SAFE_INTEGER})
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
	'output in pieces of %i is cut once, with a note',
	async size => {
		const {storage, newSession} = openWithComputer();
		const sessionId = newSession();
		const writer = createOutputWriter({storage, save}, {sessionId, role: 'assistant', isOutput: true});
		const limit = 4 * 1024 * 1024;
		for (let sent = 0; sent < limit + 3 * size; sent += size) writer.write(Buffer.alloc(size, 'x'), 'stdout');
		await writer.end('[exit 1]', true);
		const texts = textsOf(storage, sessionId);
		const note = '\n[output truncated: over 4 MiB]\n[exit 1]';
		expect(texts.join('').length).toBe(limit + note.length);
		expect(texts.join('').slice(-note.length)).toBe(note);
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
