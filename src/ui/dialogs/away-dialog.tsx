import {type AwayEntry, awayEntries} from '../../state/away.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {viewInfo} from '../../state/view/view-states.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {calendarDay, clockTime} from '../../text/values/times.ts';
import {bindingsOf} from '../keys/binding.ts';
import {agesChangeAt} from '../kit/ticker.ts';
import {openSession, showResult} from '../open-session.ts';
import type {AppParts} from '../use-app.ts';
import {awayColumns, awayRow} from './away-row.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

/** What happened in sessions and to computers since the user's last key before a pause. */
export const awayDialog: ListModule<'away', AwayEntry> = listDialog({
	kind: 'away',
	choose: 'away-open',
	width: 168,
	rows: ({since}, {all}, {away}) => awayEntries(all, since, away.computerChanges),
	lines(entries, width) {
		const columns = awayColumns(entries, width);
		return (entry, _, now) => awayRow(entry, columns, now);
	},
	title: ({dialog, rows, now}) => [
		span(safe`While you were away`, 'heading'),
		...(rows.length > 0 ? countSpans(rows, timeText(dialog.since, now)) : []),
	],
	empty: ({dialog, now}) => [
		[],
		[span(safe`  Nothing has happened since ${timeText(dialog.since, now)}`, 'dim')],
	],
	changesAt: (entries, now) =>
		agesChangeAt(
			entries.map(({at}) => at),
			now,
		),
	cursor: {
		// On the newest until the user moves it.
		indexOf: ({id}, entries) => (id === undefined ? 0 : entries.findIndex(entry => entry.id === id)),
		on: (dialog, entry) => ({...dialog, id: entry?.id}),
	},
});

function countSpans(entries: readonly AwayEntry[], since: Safe): Line {
	const sessions = entries.filter(({kind}) => kind === 'session').length;
	const computers = entries.length - sessions;
	return [
		span(safe`  since ${since}`, 'dim'),
		...(sessions > 0
			? [span(safe` · ${sessions} ${sessions === 1 ? safe`session` : safe`sessions`}`, 'dim')]
			: []),
		...(computers > 0
			? [span(safe` · ${computers} ${computers === 1 ? safe`computer` : safe`computers`}`, 'dim')]
			: []),
	];
}

/** `14:02`, and the day before it unless it is today. */
function timeText(at: number, now: number): Safe {
	const isToday = new Date(at).toDateString() === new Date(now).toDateString();
	return isToday ? clockTime(at) : safe`${calendarDay(at) ?? safe``} ${clockTime(at)}`;
}

export const awayBindings = bindingsOf([
	{
		action: 'away',
		keys: [],
		title: 'While you were away: what happened in your last long pause',
		contexts: ['lists', 'stream', 'computer', 'computer-table', 'events', 'organization', 'composer'],
		run: ({view, away}) => setView(view, now => pushDialog(now, {kind: 'away', since: away.since()})),
	},
	{
		action: 'away-open',
		keys: ['enter'],
		title: 'Open the session or computer',
		hint: 'open',
		contexts: ['away'],
		isPaletteHidden: true,
		run: awayDialog.onRow((parts, {kind, id}) => {
			setView(parts.view, popDialog);
			if (kind === 'computer') showComputer(parts, id);
			else openSession(parts, id, 'main');
		}),
	},
]);

function showComputer(parts: AppParts, id: string): void {
	if (viewInfo(parts.view.getState().page).rows !== 'computer')
		setView(parts.view, view => ({...view, page: 'work'}));
	showResult(parts, {kind: 'computer', id}, false);
}
