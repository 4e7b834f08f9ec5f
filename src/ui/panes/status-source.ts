import type {SessionItem} from '../../state/session-items.ts';
import {type Safe, safe} from '../../text/safe.ts';
import {age} from '../../text/times.ts';

const sources = {
	created: safe`created`,
	updated: safe`asked`,
	posted: safe`your message`,
	hook: safe`hook`,
	activity: safe`messages`,
	memory: safe`remembered`,
} as const;

/** ` (hook 3s)`: the source and age of a status; empty when unknown. */
export function statusSource({source, since}: Pick<SessionItem, 'source' | 'since'>, now: number): Safe {
	return source === undefined || since === undefined
		? safe``
		: safe` (${sources[source]} ${age(now - since)})`;
}
