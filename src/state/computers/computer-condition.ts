import {progress} from '../../domain/computers/provisioning.ts';
import {rememberEach} from '../rows/remember.ts';
import type {ComputerItem} from './computer-items.ts';

/** Computer states as displayed, most urgent first. `raw` is an unknown status word. */
export const computerStates = [
	'error',
	'failed',
	'missing',
	'starting',
	'provisioning',
	'raw',
	'unread',
	'active',
] as const;
export type ComputerState = (typeof computerStates)[number];

export type ComputerCondition = {
	readonly state: ComputerState;
	/** Number of successfully finished steps. */
	readonly done: number;
	readonly total: number;
};

/** A computer's state and steps, independent of the current time. */
export function conditionOf(item: ComputerItem): ComputerCondition {
	const condition = evaluate(item.known);
	if (item.isMissing) return {...condition, state: 'missing'};
	return item.isStarting ? {...condition, state: 'starting'} : condition;
}

/** Computers are immutable, so each is evaluated once. */
const evaluate = rememberEach(({computer}: ComputerItem['known']): ComputerCondition => {
	if (!computer) return {state: 'unread', done: 0, total: 0};
	const {done, total, failed, current, isSettled} = progress(computer, () => undefined, 0);
	const state = (): ComputerState => {
		if (computer.status === 'error') return 'error';
		// On an active computer, steps pending after a failed one may never run.
		if (computer.status === 'active' && failed && current?.state !== 'running') return 'failed';
		if (computer.status === 'provisioning' || (total > 0 && !isSettled)) return 'provisioning';
		if (failed) return 'failed';
		return computer.status === 'active' ? 'active' : 'raw';
	};
	return {state: state(), done, total};
});
