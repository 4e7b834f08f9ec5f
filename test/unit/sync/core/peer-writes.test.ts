import {expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import {PeerWriteWatcher} from '../../../../src/sync/core/peer-write-watcher.ts';
import {fakeClock} from '../../../support/fake-clock.ts';

/** A database that other programs write to. */
function shared() {
	const peer = {writes: 0, reads: 0};
	const database = {
		peerWriteCount() {
			peer.reads++;
			return peer.writes;
		},
		onNextWrite: () => () => {},
	} as unknown as Database;
	return {peer, database, clock: fakeClock()};
}

test('adopts a write that failed to be adopted once the file can be read again', async () => {
	const {peer, database, clock} = shared();
	let isBusy = true;
	let adopted = 0;
	const watcher = new PeerWriteWatcher(database, clock, () => {
		if (isBusy) throw new StorageError('busy', new Error('locked'));
		adopted++;
	});
	peer.writes++;
	watcher.start();
	await clock.advance(5000);
	expect(adopted).toBe(0);
	isBusy = false;
	await clock.advance(1000);
	expect(adopted).toBe(1);
	await clock.advance(5000);
	expect(adopted).toBe(1);
	watcher.stop();
	expect(clock.pending).toBe(0);
});
