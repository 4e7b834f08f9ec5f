import {EventEmitter, once} from 'node:events';
import type {Machine} from '../db/database.ts';
import {systemClock} from '../domain/clock.ts';
import {startHookReceiver} from '../hook-listeners/hook-receiver.ts';
import {Refusal} from './http/refusal.ts';

/** The hook events of this machine, for a Quarterdeck elsewhere. */
export type HookEvents = ReturnType<typeof createHookEvents>;

/** Most events in an answer: with the largest, it is half as long as an answer may be. */
const maxEvents = 200;

/**
 * From the first call on, this service receives hook events as every running program does, and stores them where all
 * programs of the user have theirs. `open` opens that database, whose owner closes it.
 */
export function createHookEvents(open: (() => Promise<Machine>) | undefined, closing: AbortSignal) {
	const stored = new EventEmitter().setMaxListeners(0);
	let receiving: ReturnType<typeof receive> | undefined;

	const receive = async () => {
		if (!open) throw new Refusal(404, 'this service receives no hook events');
		const machine = await open();
		const receiver = await startHookReceiver({
			clock: systemClock,
			onEvents(events) {
				// They stay with their senders.
				if (machine.problem !== undefined) throw new Error(machine.problem);
				machine.events.together(() => {
					for (const event of events) machine.events.add(event);
				});
				stored.emit('event');
			},
			// Another program may have been faster.
			onDrained: () => void stored.emit('event'),
			onProblem() {},
		});
		return {receiver, table: machine.events};
	};
	const opened = () => {
		receiving ??= receive().catch(error => {
			receiving = undefined;
			throw error;
		});
		return receiving;
	};

	return {
		/**
		 * The events stored after `position`, and the position to go on from. Waits for one, until `signal` aborts. A position
		 * of another database counts as 0.
		 */
		async after(position: number, signal: AbortSignal) {
			const {table} = await opened();
			const from = position > table.newestPosition() ? 0 : position;
			for (;;) {
				const found = table.since(from, maxEvents);
				if (found.events.length > 0 || signal.aborted || closing.aborted) return found;
				await once(stored, 'event', {signal}).catch(() => {});
			}
		},
		async close(): Promise<void> {
			await (await receiving?.catch(() => {}))?.receiver.close();
		},
	};
}
