import {snooze} from '../../actions/acknowledge-and-snooze.ts';
import {snoozeEnd, snoozes} from '../../domain/sessions/attention.ts';
import {itemAt} from '../../state/lists/lists.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {withNextWaiting} from '../../state/view/shown-item.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {clockTime, weekday} from '../../text/values/times.ts';
import {bindingsIn} from '../keys/binding.ts';
import {minuteAfter} from '../kit/ticker.ts';
import {offerUndo} from '../offer-undo.ts';
import type {AppParts} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogOf} from './dialog-module.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

const durationWidth = 24;
/** Columns of the name in the title. */
const nameWidth = 26;

export const snoozeDialog: ListModule<'snooze', Duration> = listDialog({
	kind: 'snooze',
	choose: 'snooze-chosen',
	width: 52,
	rows: () => snoozes,
	lines: () => (duration, _, now) => durationLine(duration, now),
	title({dialog, lists}) {
		const {kind, id} = dialog.subject;
		const item = itemAt(lists.all, kind === 'session' ? {sessionId: id} : {computerId: id});
		const name = item ? [span(safe` · `, 'dim'), span(cutEnd(cleanLine(item.name, 80), nameWidth))] : [];
		return [span(safe`Snooze`, 'heading'), ...name];
	},
	changesAt: (_, now) => minuteAfter(now),
	digit: snoozeFor,
});

type Duration = (typeof snoozes)[number];

function durationLine(snooze: Duration, now: number): Line {
	const at = snoozeEnd(snooze.name, now);
	return [
		span(safe` ${cleanLine(snooze.key)}  `, 'strong'),
		span(pad(cleanLine(snooze.title), durationWidth)),
		// Its title has the time.
		span(snooze.name === 'tomorrow' ? weekday(at) : clockTime(at), 'dim'),
	];
}

function snoozeFor(parts: AppParts, {name}: Duration, dialog: DialogOf<'snooze'>): void {
	setView(parts.view, view => withNextWaiting(popDialog(view), listsNow(parts), dialog.subject));
	offerUndo(parts, {action: 'snooze', subjects: [dialog.subject]}, snooze(parts.actions, dialog, name));
}

export const snoozeBindings = bindingsIn({contexts: ['snooze'], isPaletteHidden: true}, [
	{
		action: 'snooze-chosen',
		keys: ['enter'],
		title: 'Snooze',
		hint: 'snooze',
		run: snoozeDialog.onRow(snoozeFor),
	},
]);
