import type {Lists} from '../../state/lists/lists.ts';
import {joinSafe, type Safe, safe} from '../../text/cells/safe.ts';

export const strings = {
	title: safe`Filter by`,
	complete: (key: Safe) => safe`${key} completes`,
	hidden: ({sessions, computers}: Lists['hidden']) => {
		const counts = [
			...(sessions > 0 ? [sessions === 1 ? safe`1 session` : safe`${sessions} sessions`] : []),
			...(computers > 0 ? [computers === 1 ? safe`1 computer` : safe`${computers} computers`] : []),
		];
		return counts.length === 0 ? safe`   nothing hidden` : safe`   ${joinSafe(counts, safe`, `)} hidden`;
	},
	keys: (keep: Safe, clear: Safe) => safe`   ${keep} keeps, ${clear} clears`,
	problem: (what: Safe) => safe`   ✗ ${what}`,
};
