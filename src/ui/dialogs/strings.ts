import {type Safe, safe} from '../../text/cells/safe.ts';

/** The words that several dialogs use. Values filled in are clean already. */
export const strings = {
	close: (key: Safe) => safe`${key} close`,
	noMatches: safe`No matches`,
	typeToSearch: safe`type to search`,
	disabled: (reason: Safe) => safe`disabled: ${reason}`,

	answer: {
		gone: 'This request is over: answered elsewhere, or its turn has ended. Nothing was sent from here.',
		early: "That key came too soon and didn't count: press it again.",
		held: 'A held or repeated key answers nothing: press it once.',
	},
} as const;
