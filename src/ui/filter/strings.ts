import {type Safe, safe} from '../../text/cells/safe.ts';

/** Every string of the filter. */
export const strings = {
	title: safe`Filter by`,
	complete: (key: Safe) => safe`${key} completes`,
	hidden: (count: number) => safe`   ${count} hidden`,
	keys: (keep: Safe, clear: Safe) => safe`   ${keep} keeps, ${clear} clears`,
	problem: (what: Safe) => safe`   ✗ ${what}`,
};
