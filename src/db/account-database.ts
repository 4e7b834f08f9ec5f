import {join} from 'node:path';
import type {Account} from '../domain/accounts/account.ts';
import type {Database, Machine, OpenAccount} from './database.ts';
import {unlessStorageFails} from './file/storage-error.ts';
import {openDatabase} from './open-database.ts';

/** Opens an account's own file. Once the account is forgotten, nothing is written there any more. */
export function openAccountFile(
	{accounts}: Machine,
	stateFolder: string,
	{id, file, createdAt}: Account,
	folderProblem?: string,
): Database {
	// Two accounts have fixed ids: a forgotten one may be there again, as a new one.
	const isForgotten = () => unlessStorageFails(() => accounts.get(id)?.createdAt !== createdAt) ?? false;
	return openDatabase({file: join(stateFolder, file), folderProblem, isForgotten});
}

/** One account's data plus the machine's hook events. The caller still owns `machine` and closes it. */
export function accountDatabase(own: Database, machine: Machine, account: OpenAccount): Database {
	const events: Database['events'] = {
		...machine.events,
		// Sessions discovered through events belong to the account: one transaction per file, not per event.
		together: run => own.events.together(() => machine.events.together(run)),
	};
	const shared: Partial<Database> = {
		get problem() {
			return own.problem ?? machine.problem;
		},
		get isUnreadable() {
			return own.isUnreadable || machine.isUnreadable || false;
		},
		get isPartial() {
			return own.isPartial || machine.isPartial || false;
		},
		get notice() {
			return own.notice ?? machine.notice;
		},
		account,
		events,
		incidents: {
			add: machine.incidents.add,
			all: () => [...machine.incidents.all(), ...own.incidents.all()].sort((a, b) => a.at - b.at),
			acknowledge() {
				machine.incidents.acknowledge();
				own.incidents.acknowledge();
			},
		},
		peerWriteCount: () => own.peerWriteCount() + machine.peerWriteCount(),
		onNextWrite(onWrite) {
			let ends: (() => void)[] = [];
			const end = () => {
				for (const one of ends) one();
				ends = [];
			};
			// The first write to either file ends both watches.
			const once = () => {
				if (ends.length === 0) return;
				end();
				onWrite();
			};
			ends = [own.onNextWrite(once), machine.onNextWrite(once)];
			return end;
		},
		onChange(listener) {
			const ends = [own.onChange(listener), machine.onChange(listener)];
			return () => {
				for (const end of ends) end();
			};
		},
	};
	// Everything else comes from the account's database, including getters that change while it is open.
	return Object.create(own, Object.getOwnPropertyDescriptors(shared));
}
