import {snoozeEnd, snoozes} from '../../domain/attention.ts';
import type {Dialog} from '../../state/dialogs.ts';
import type {Lists} from '../../state/lists.ts';
import {cleanLine} from '../../text/clean.ts';
import {cutEnd, pad} from '../../text/cut.ts';
import {span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import {clockTime} from '../../text/times.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import {useNow} from '../kit/use-now.ts';
import type {Layout} from '../layout.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {useApp} from '../use-app.ts';

const columns = 52;
const titleWidth = 24;
/** Columns of the session's name in the title. */
const nameWidth = 26;

/** Asks how long to snooze a session. */
export function SnoozeDialog({
	dialog,
	layout,
	lists,
}: {
	readonly dialog: Dialog & {kind: 'snooze'};
	readonly layout: Layout;
	readonly lists: Lists;
}) {
	const now = useNow(() => undefined);
	const {keys} = useApp();
	const rect = dialogRect(layout, columns, snoozes.length);
	const item = lists.all.sessionsById.get(dialog.sessionId);
	const name = item && cutEnd(cleanLine(item.name, 80), nameWidth);
	useChoiceZone({
		context: 'snooze',
		rect,
		above: 1,
		top: 0,
		shown: snoozes.length,
		index: dialog.index,
		down: 'list-down',
		up: 'list-up',
		choose: 'snooze-chosen',
	});
	return (
		<Pane
			rect={rect}
			title={[
				span(safe`Snooze`, 'heading'),
				...(name === undefined ? [] : [span(safe` · `, 'dim'), span(name)]),
			]}
			right={[span(safe`${keys.label('cancel')} closes`, 'dim')]}
			isFocused
			body={snoozes.map(({key, name, title}, index) => ({
				line: [
					span(safe` ${cleanLine(key)}  `, 'strong'),
					span(pad(cleanLine(title), titleWidth)),
					span(safe`${clockTime(snoozeEnd(name, now))}`, 'dim'),
				],
				isSelected: index === dialog.index,
			}))}
		/>
	);
}
