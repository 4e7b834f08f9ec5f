import {progress} from '../domain/provisioning.ts';
import type {ComputerItem} from './lists.ts';

/** What a computer comes down to, by how much it wants to be looked at. `raw` is a status word that we don't know. */
export const computerStates = [
	'error',
	'failed',
	'starting',
	'provisioning',
	'raw',
	'unread',
	'active',
] as const;
export type ComputerState = (typeof computerStates)[number];

export type ComputerCondition = {
	readonly state: ComputerState;
	/** Steps that are over well, of how many. */
	readonly done: number;
	readonly total: number;
};

/** By what is known of a computer, which is replaced and never changed: each is looked at once. */
const conditions = new WeakMap<ComputerItem['known'], ComputerCondition>();

/** A computer's state and steps, whatever the time is. */
export function conditionOf(item: ComputerItem): ComputerCondition {
	const {known, isStarting} = item;
	const cached = conditions.get(known) ?? judge(known);
	conditions.set(known, cached);
	return isStarting ? {...cached, state: 'starting'} : cached;
}

function judge({computer}: ComputerItem['known']): ComputerCondition {
	if (!computer) return {state: 'unread', done: 0, total: 0};
	const {done, total, failed, current, isSettled} = progress(computer, () => undefined, 0);
	const state = (): ComputerState => {
		if (computer.status === 'error') return 'error';
		// What waits behind a step that failed on a computer in use may wait for ever.
		if (computer.status === 'active' && failed && current?.state !== 'running') return 'failed';
		if (computer.status === 'provisioning' || (total > 0 && !isSettled)) return 'provisioning';
		if (failed) return 'failed';
		return computer.status === 'active' ? 'active' : 'raw';
	};
	return {state: state(), done, total};
}
