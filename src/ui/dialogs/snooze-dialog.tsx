import {snooze} from '../../actions/acknowledge-and-snooze.ts';
import {snoozeEnd, snoozes} from '../../domain/sessions/attention.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {itemAt} from '../../state/lists/needs-items.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {withNextWaiting} from '../../state/view/next-waiting.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {clockTime, weekday} from '../../text/values/times.ts';
import {bindingsIn} from '../keys/binding.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import {minuteAfter} from '../kit/ticker.ts';
import {useNow} from '../kit/use-now.ts';
import {offerUndo} from '../offer-undo.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {choiceLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const width = 52;
const durationWidth = 24;
/** Columns of the name in the title. */
const nameWidth = 26;

/** Asks how long to snooze a session or computer. */
function SnoozeDialog({dialog, layout, lists}: DialogProps<'snooze'>) {
	const now = useNow(minuteAfter);
	const {keys} = useApp();
	const rect = dialogRect(layout, width, snoozes.length);
	const {kind, id} = dialog.subject;
	const item = itemAt(lists.all, kind === 'session' ? {sessionId: id} : {computerId: id});
	const name = item && cutEnd(cleanLine(item.name, 80), nameWidth);
	return (
		<ChoicePane
			rect={rect}
			title={[
				span(strings.snooze.title, 'heading'),
				...(name === undefined ? [] : [span(safe` · `, 'dim'), span(name)]),
			]}
			right={[span(strings.close(keys.label('cancel')), 'dim')]}
			bottom={[]}
			count={snoozes.length}
			index={dialog.index}
			renderRow={index => durationLine(snoozes[index], now)}
			context="snooze"
			choose="snooze-chosen"
		/>
	);
}

function durationLine(snooze: (typeof snoozes)[number] | undefined, now: number): Line {
	if (!snooze) return [];
	const at = snoozeEnd(snooze.name, now);
	return [
		span(safe` ${cleanLine(snooze.key)}  `, 'strong'),
		span(pad(cleanLine(snooze.title), durationWidth)),
		// Its title has the time.
		span(snooze.name === 'tomorrow' ? weekday(at) : clockTime(at), 'dim'),
	];
}

/** Keys of the snooze dialog: a number, or the cursor. */
function snoozeLayer(parts: AppParts, dialog: DialogOf<'snooze'>): KeyLayer {
	return choiceLayer(parts, dialog, snoozes.length, {
		pick: index => snoozeFor(parts, listsNow(parts), index),
	});
}

/** Snoozes the dialog's session for the duration at `index`. */
function snoozeFor(parts: AppParts, lists: Lists, index: number): void {
	const dialog = topDialog(parts.view, 'snooze');
	const duration = snoozes[index]?.name;
	if (!dialog || duration === undefined) return;
	setView(parts.view, view => withNextWaiting(popDialog(view), lists, dialog.subject));
	offerUndo(parts, {action: 'snooze', subjects: [dialog.subject]}, snooze(parts.actions, dialog, duration));
}

export const snoozeBindings = bindingsIn({contexts: ['snooze'], isPaletteHidden: true}, [
	{
		action: 'snooze-chosen',
		keys: ['enter'],
		title: 'Snooze',
		hint: 'snooze',
		run(parts, lists) {
			const dialog = topDialog(parts.view, 'snooze');
			if (dialog) snoozeFor(parts, lists, dialog.index);
		},
	},
]);

export const snoozeDialog: DialogModule<'snooze'> = {Component: SnoozeDialog, layer: snoozeLayer};
