import type {FilterChoice} from '../../domain/list-filter/complete-filter.ts';
import type {FilterProblem} from '../../domain/list-filter/filter.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutEnd, cutMiddle, pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';

/** Widths of the pane: a folder makes it wider. */
const columns = {min: 46, max: 90} as const;
const maxRows = 10;
const minLabel = 6;
/** Columns beside a label: the borders, the gaps and the note. */
const besideLabel = 20;

type Props = {
	/** At least one. */
	readonly choices: readonly FilterChoice[];
	readonly selected: number;
	readonly layout: Layout;
};

/** Completions of the filter, right above the footer in which it is typed. */
export function FilterPane({choices, selected, layout}: Props) {
	const {keys} = useApp();
	const height = Math.min(choices.length, maxRows, layout.rows - 6);
	const widest = Math.max(...choices.map(choice => textWidth(cleanLine(choice.label, 200))));
	const wanted = Math.max(columns.min, Math.min(columns.max, widest + besideLabel));
	const width = Math.min(wanted, layout.columns);
	const labels = Math.max(minLabel, Math.min(widest, width - besideLabel));
	const rect = {x: 0, y: layout.rows - height - 3, width, height: height + 2};
	return (
		<ChoicePane
			rect={rect}
			title={[span(safe`Filter by`, 'heading')]}
			right={[span(safe`${keys.label('complete-filter')} completes`, 'dim')]}
			count={choices.length}
			index={Math.min(selected, choices.length - 1)}
			renderRow={index => choiceLine(choices[index], labels, width - 4)}
			context="filter"
			choose="complete-filter"
		/>
	);
}

function choiceLine(choice: FilterChoice | undefined, labels: number, width: number): Line {
	if (!choice) return [];
	const {label: text, note} = choice;
	return [
		span(safe` `),
		// Folders differ at their ends.
		span(pad(cutMiddle(cleanLine(text, 200), labels), labels), 'accent'),
		span(safe`  `),
		span(cutEnd(cleanLine(note, 60), Math.max(0, width - labels - 2)), 'dim'),
	];
}

export const filterMark = safe` / `;

/** The filter being typed, with problems highlighted and the first one explained at the end. */
export function filterLine(
	filter: string,
	problems: readonly FilterProblem[],
	hidden: Lists['hidden'] | undefined,
	width: number,
	keys: {readonly keep: Safe; readonly clear: Safe},
): Line {
	const [problem] = problems;
	const end: Line = problem
		? [span(safe`   ✗ ${cleanLine(problem.what, 200)}`, 'bad')]
		: [
				span(
					hidden === undefined
						? safe``
						: safe`   ${hidden.sessions + hidden.computers || safe`nothing`} hidden`,
					'dim',
				),
				span(safe`   ${keys.keep} keeps it in this view, ${keys.clear} clears it`, 'dim'),
			];
	return padLine([span(filterMark, 'accent'), ...marked(filter, problems), span(safe` `), ...end], width);
}

function marked(filter: string, problems: readonly FilterProblem[]): Line {
	const parts: Line[] = [];
	let at = 0;
	for (const {start, end} of problems) {
		parts.push([
			span(cleanLine(filter.slice(at, start), 200)),
			span(cleanLine(filter.slice(start, end), 200), 'bad'),
		]);
		at = end;
	}
	return [...parts.flat(), span(cleanLine(filter.slice(at), 200))];
}
