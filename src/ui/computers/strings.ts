import {type Safe, safe} from '../../text/cells/safe.ts';
import {keyed} from '../kit/strings.ts';

/** Every string of the Computers view, except its detail pane (`src/ui/panes/strings.ts`). */
export const strings = {
	title: safe`Computers`,
	none: safe`No computers yet.`,
	create: (create: Safe, add: Safe) => keyed`${create} creates one, ${add} adds an existing one by its id.`,
	copiedId: 'the id',
	changedKey: 'The host key of the machine has changed: find out why, and settle it with ssh in a terminal',
	notAMachine: 'Only for machines that ssh or a container tool reaches',
	isConnected: 'This machine is connected',
	logIn: 'log in with ssh here',
	connectAgain: 'connect again',
};
