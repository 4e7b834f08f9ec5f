import type {SessionItem} from './session-items.ts';
import {isUnsure, type SessionState} from './session-state.ts';

/** States as the commands name them, in the order of the help. `waiting` is a condition, not a state. */
export const stateNames = ['asks', 'failed', 'done', 'working', 'idle', 'unsent', 'ended'] as const;
type StateName = (typeof stateNames)[number];

/** By state; `?` if it isn't known, or is a word of the service that is new to us. */
export const nameByState: Readonly<Record<SessionState, StateName | '?'>> = {
	permission: 'asks',
	input: 'asks',
	error: 'failed',
	unsent: 'unsent',
	done: 'done',
	working: 'working',
	pending: 'working',
	idle: 'idle',
	ended: 'ended',
	unknown: '?',
	raw: '?',
};

/** The state of a session as the commands name it: `?` if it isn't known, and the service's own word if that is new to us. */
export function stateName({state, word}: SessionItem): string {
	const name = nameByState[state];
	return name === '?' ? (word ?? name) : name;
}

/** The state as commands show it: `working?` or `idle?` if the turn may be over or go on. */
export function shownState(item: SessionItem, now: number): string {
	return isUnsure(item, now) ? `${stateName(item)}?` : stateName(item);
}
