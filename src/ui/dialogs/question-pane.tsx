import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {wrapStart, wrapText} from '../../text/cells/wrap.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import {dialogRect} from '../kit/dialog-rect.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';
import {pressAction, useZone, zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';

type Props = {
	readonly layout: Layout;
	readonly context: KeyContext;
	/** Raw, as is the text. */
	readonly title: string;
	readonly text: string;
	/** With the keys that give them; none while keys wait. */
	readonly answers: readonly {readonly action: ActionName; readonly keys: Safe; readonly words: Safe}[];
};

export function QuestionPane({layout, context, title, text: raw, answers}: Props) {
	const parts = useApp();
	const width = Math.min(60, layout.columns - 4);
	const inner = dialogRect(layout, width, 1).width - 4;
	const text = cleanLine(raw);
	const whole = wrapText(text, inner);
	const rect = dialogRect(layout, width, whole.length + 4);
	// On a small screen, the blank rows go first; the answers stay.
	const room = rect.height - 3;
	const blank = room >= whole.length + 2 ? [{line: []}] : [];
	const rows = wrapStart(text, inner, room);
	const answersY = 1 + rows.length + blank.length * 2;
	useZone({
		rect,
		order: zoneOrder.dialog,
		press({x, y}) {
			let end = 3;
			const pressed = answers.find(({keys, words}) => {
				end += textWidth(keys) + textWidth(words);
				return x < end;
			});
			const answer = pressed ?? answers.at(-1);
			if (answer && y === answersY) pressAction(parts, context, answer.action);
		},
	});
	return (
		<Pane
			rect={rect}
			title={[span(shownTitle(title, rect.width - 6), 'heading')]}
			isFocused
			body={[
				...blank,
				...rows.map(row => ({line: [span(safe`  `), span(row)]})),
				...blank,
				{
					line: [
						span(safe`  `),
						...answers.flatMap(({keys, words}) => [span(keys, 'strong'), span(words, 'dim')]),
					],
				},
			]}
		/>
	);
}

/** The question, in this width: it ends in the name that it is about, which is cut, not its mark. */
function shownTitle(title: string, width: number): Safe {
	const whole = cleanLine(title);
	if (!whole.endsWith('?') || textWidth(whole) <= width) return whole;
	return safe`${cutEnd(cleanLine(title.slice(0, -1)), width - 1)}?`;
}
