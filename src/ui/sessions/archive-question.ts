import {isTurnRunning, type SessionItem} from '../../state/sessions/session-items.ts';
import {strings} from '../strings.ts';
import type {Parts} from '../use-app.ts';

/** The question before sessions are archived; `archived`: how many others already are. */
export function archiveQuestion(
	{keys}: Parts<'keys'>,
	sessions: readonly SessionItem[],
	{leftOut = [], archived = 0}: {readonly leftOut?: readonly string[]; readonly archived?: number} = {},
) {
	const names = sessions.map(({name}) => name);
	// A session that waits for its computer has no agent yet.
	const running = sessions.filter(item => isTurnRunning(item) && item.state !== 'pending').length;
	const show = keys.label('show-archived');
	const undo = keys.label('undo');
	return {
		title: strings.archive.title(names),
		text: strings.archive.text({names, running, leftOut, archived, show, undo}),
	};
}
