import {cleanLine} from '../../text/cells/clean.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {ComputerItem} from '../computers/computer-items.ts';
import {type Look, markLook, sessionLook} from '../sessions/session-look.ts';
import type {NeedsItem} from './needs-items.ts';

export const failedLook: Look = {glyph: safe`✗`, word: safe`failed`, tone: 'bad'};

const stuckLook: Look = {glyph: safe`!`, word: safe`stuck?`, tone: 'warn'};

/** The look of an item that needs the user: a session's state, or a computer that failed or is stuck. */
export function needsLook(item: NeedsItem, now?: number): Look {
	if (item.kind === 'session') return sessionLook(item, now);
	return markLook(item.isStuck ? stuckLook : failedLook, item.mark);
}

/** What failed on a computer: the step and its error, if known. */
export function failureText({reason}: ComputerItem, maxLength: number): Safe {
	return reason === undefined ? safe`provisioning` : cleanLine(reason, maxLength);
}
