import type {Lists} from '../../state/lists/lists.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';

export const strings = {
	title: safe`Filter by`,
	complete: (key: Safe) => safe`${key} completes`,
	hidden: ({sessions, computers}: Lists['hidden']) =>
		safe`   ${sessions + computers || safe`nothing`} hidden`,
	/** Each view has its own filter. */
	keys: (keep: Safe, clear: Safe) => safe`   ${keep} keeps it in this view, ${clear} clears it`,
	problem: (what: Safe) => safe`   ✗ ${what}`,
};
