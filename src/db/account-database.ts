import type {Database, Machine, OpenAccount} from './database.ts';

/** What one account keeps, with the hook events of the machine. Whoever opened the machine's database closes that. */
export function accountDatabase(own: Database, machine: Machine, account: OpenAccount): Database {
	const events: Database['events'] = {
		...machine.events,
		// The sessions that events make known are the account's: one transaction in each file, not one for each event.
		together: run => own.events.together(() => machine.events.together(run)),
	};
	const shared: Partial<Database> = {
		get problem() {
			return own.problem ?? machine.problem;
		},
		get isUnread() {
			return own.isUnread || machine.isUnread || false;
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
			// Whichever file is written to first ends the wait for both.
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
	// All else is the account's own, whatever it tells of itself while it is open included.
	return Object.create(own, Object.getOwnPropertyDescriptors(shared));
}
