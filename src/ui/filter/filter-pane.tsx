import type {FilterChoice} from '../../domain/list-filter/complete-filter.ts';
import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import type {Row} from '../kit/frame.ts';
import {listTop} from '../kit/list-window.ts';
import {Pane} from '../kit/pane.tsx';
import type {Layout} from '../layout.ts';
import {useChoiceZone} from '../mouse/use-choice-zone.ts';
import {useApp} from '../use-app.ts';
import {filterChoices} from './filter-layer.ts';

const columns = 46;
const maxRows = 10;
const label = {min: 6, max: 26} as const;

/** Completions of the filter, right above the footer in which it is typed. */
export function FilterPane({
	layout,
	lists,
	view,
}: {
	readonly layout: Layout;
	readonly lists: Lists;
	readonly view: View;
}) {
	const choices = filterChoices(useApp(), view, lists);
	return choices.length === 0 ? undefined : <Choices choices={choices} layout={layout} view={view} />;
}

function Choices({
	choices,
	layout,
	view,
}: {
	readonly choices: readonly FilterChoice[];
	readonly layout: Layout;
	readonly view: View;
}) {
	const {keys} = useApp();
	const height = Math.min(choices.length, maxRows, layout.rows - 6);
	const selected = Math.min(view.filterChoice, choices.length - 1);
	const top = listTop(0, selected, height, choices.length);
	const width = Math.min(columns, layout.columns);
	const widest = Math.max(...choices.map(choice => textWidth(cleanLine(choice.label, 200))));
	const labels = Math.max(label.min, Math.min(label.max, widest, width - 8));
	const below = choices.length - top - height;
	const rect = {x: 0, y: layout.rows - height - 3, width, height: height + 2};
	useChoiceZone({
		context: 'filter',
		rect,
		above: 1,
		top,
		shown: height,
		index: selected,
		down: 'list-down',
		up: 'list-up',
		choose: 'complete-filter',
	});
	const body = choices.slice(top, top + height).map(
		(choice, index): Row => ({
			line: choiceLine(choice, labels, width - 4),
			isSelected: top + index === selected,
		}),
	);
	return (
		<Pane
			rect={rect}
			title={[span(safe`Filter by`, 'heading')]}
			right={[span(safe`${keys.label('complete-filter')} takes`, 'dim')]}
			{...(below > 0 && {bottom: [span(safe`${below} more ↓`, 'dim')]})}
			isFocused
			body={body}
		/>
	);
}

function choiceLine({label: text, note}: FilterChoice, labels: number, width: number): Line {
	return [
		span(safe` `),
		span(pad(cleanLine(text, 200), labels), 'accent'),
		span(safe`  `),
		span(cutEnd(cleanLine(note, 60), Math.max(0, width - labels - 2)), 'dim'),
	];
}
