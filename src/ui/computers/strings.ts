import type {ComputerOrder} from '../../state/view/view-states.ts';
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
	none: safe`No computers yet.`,
	create: (create: Safe, add: Safe) => keyed`${create} creates one, ${add} adds an existing one by its id.`,
	copiedId: 'the id',
};
