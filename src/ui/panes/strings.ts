import {safe} from '../../text/cells/safe.ts';

/** What several views say of their lists. */
export const strings = {
	sessions: {
		cannotList: safe`Sessions that you start or add appear here. This service can't list others.`,
		noneKnown: safe`No sessions known.`,
	},
	computers: {
		settingUp: safe`Setting up this machine…`,
		noneKnown: safe`No computers known.`,
	},
};
