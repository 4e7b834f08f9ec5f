import {type Completion, moveSelection, type Suggestion} from '../../state/view/completion.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {fitLine, type Line, lineWidth, padLine, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {highlightedText} from '../../text/search/fuzzy.ts';
import {rectAbove} from '../kit/dialog-rect.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {listTop} from '../kit/scroll.ts';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {strings} from './strings.ts';

const maxSuggestions = 8;

/** What a double click does. */
const useActions = {
	files: 'suggestion-attach',
	image: 'suggestion-attach',
	prompts: 'use-prompt',
	folders: 'use-folder',
} as const;

type Props = {readonly completion: Completion; readonly composerRect: Rect};

/** Completions for the text, right above the composer. */
export function SuggestionsPane({completion, composerRect}: Props) {
	const parts = useApp();
	const {items, total, selected, kind} = completion;
	// A hosted service's agent doesn't see the files that are offered.
	const isElsewhere = kind === 'files' && parts.profile.host !== undefined;
	const rect = rectAbove(composerRect, Math.min(items.length, maxSuggestions));
	const height = rect.height - 2;
	const top = listTop(0, selected, height, items.length);
	useRowsZone({
		rect,
		order: zoneOrder.over,
		above: 1,
		top,
		shown: Math.min(height, items.length - top),
		pick(index, isDouble) {
			if (index === undefined) return;
			setView(parts.view, view => ({...view, completion: {...completion, selected: index}}));
			if (isDouble) parts.input.perform(parts, useActions[kind]);
		},
		wheel(rows) {
			const by = Math.sign(rows) as 1 | -1;
			setView(parts.view, view =>
				view.completion ? {...view, completion: moveSelection(view.completion, by)} : view,
			);
		},
	});
	const nameWidths = kind === 'prompts' ? items.map(({path}) => textWidth(cleanLine(path))) : [];
	const column = Math.min(Math.max(0, ...nameWidths), Math.floor(rect.width / 2));
	const body = items.slice(top, top + height).map(
		(item, index): Row => ({
			line: suggestionLine(item, rect.width - 2, column),
			isSelected: top + index === selected,
		}),
	);
	return (
		<Pane
			rect={rect}
			title={[span(strings.suggestions[isElsewhere ? 'filesHere' : kind], 'heading')]}
			right={kind === 'image' ? [] : [span(safe`${selected + 1} of ${total}`, 'dim')]}
			isFocused
			body={body}
		/>
	);
}

/** The name, in full if it fits; then, from `column` on and dimmed, its detail or folder. */
function suggestionLine({path, matches, detail}: Suggestion, width: number, column: number): Line {
	const start = path.lastIndexOf('/', path.length - 2) + 1;
	const folder = path.slice(0, start);
	const after = detail ?? folder;
	const name: Line = [
		span(safe` `),
		...highlightedText(
			path.slice(start),
			matches.map(index => index - start),
		),
	];
	const padded = padLine(name, Math.max(lineWidth(name), column + 1));
	const room = width - lineWidth(padded) - 2;
	if (after === '' || room < 4) return fitLine(name, width);
	return [...padded, span(safe`  `), span(cutMiddle(cleanLine(after, 400), room), 'dim')];
}
