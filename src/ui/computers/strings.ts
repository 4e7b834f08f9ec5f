import type {ComputerOrder} from '../../state/reading.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {keyed} from '../kit/strings.ts';

/** Every string of the Computers view, except its detail pane (`src/ui/panes/strings.ts`). */
export const strings = {
	columns: {
		state: safe`STATE`,
		name: safe`NAME`,
		steps: safe`STEPS`,
		time: safe`TIME`,
		sessions: safe`SESSIONS`,
		provider: safe`PROVIDER`,
		host: safe`HOST`,
		user: safe`USER`,
		read: safe`READ`,
	} satisfies Record<ComputerOrder, Safe>,
	title: safe`Computers`,
	filter: (words: Safe) => safe`/${words}`,
	shown: (shown: number, known: number) => (shown === known ? safe`${known}` : safe`${shown} of ${known}`),
	noMatches: (showAll: Safe) => keyed`No matches. ${showAll} shows all.`,
	none: safe`No computers yet.`,
	create: (create: Safe, add: Safe) => keyed`${create} creates one, ${add} adds an existing one by its id.`,
	copiedId: 'the id',
};
