import type {FilterProblem} from '../../domain/list-filter/filter.ts';
import type {Lists} from '../../state/lists/lists.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {type Line, padLine, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {strings} from './strings.ts';

/** The mark before the words of the filter. */
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
		? [span(strings.problem(cleanLine(problem.what, 200)), 'bad')]
		: [
				span(hidden === undefined ? safe`` : strings.hidden(hidden), 'dim'),
				span(strings.keys(keys.keep, keys.clear), 'dim'),
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
