import {expect, test} from 'vitest';
import type {Database} from '../../../../src/db/database.ts';
import {StorageError} from '../../../../src/db/file/storage-error.ts';
import {PeerWritePoll} from '../../../../src/sync/core/peer-write-poll.ts';
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

test('checks once a second during a long wait, and more often again in a new one', async () => {
	const {peer, database, clock} = shared();
	const poll = new PeerWritePoll(database, clock, () => {});
	poll.start();
	await clock.advance(60_000);
	peer.reads = 0;
	await clock.advance(60_000);
	expect(peer.reads).toBe(60);
	poll.start();
	await clock.advance(200);
	expect(peer.reads).toBeGreaterThan(63);
	poll.stop();
	expect(clock.pending).toBe(0);
});
