import {cleanLine} from '../cells/clean.ts';
import {fitLine, type Line} from '../cells/line.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {wrapText} from '../cells/wrap.ts';
import {collapsedRow, indented, moreLines} from './collapsed-rows.ts';
import {isRecord} from './message-parts.ts';

export type PlanStep = {readonly text: Safe; readonly state: keyof typeof marks};

const marks = {
	done: {text: safe`\u2611 `, tone: 'good'},
	active: {text: safe`\u25b8 `, tone: 'accent'},
	open: {text: safe`\u2610 `, tone: 'dim'},
} as const;
/** A plan shows so many steps; a collapsed one, so many with the one at work among them. */
const maxSteps = 200;
const maxCollapsedSteps = 10;

/** The steps of a list of known agents: items with a status, or lines such as `1. [completed] Add tests`. */
export function planSteps(list: unknown): PlanStep[] | undefined {
	const items = typeof list === 'string' ? list.split('\n').filter(line => line.trim() !== '') : list;
	if (!Array.isArray(items)) return undefined;
	const steps = items.map((item: unknown) => {
		if (isRecord(item)) return stepOf(item.content ?? item.step ?? item.text, item.status);
		if (typeof item !== 'string') return undefined;
		const [, mark, text] = /^\s*(?:\d+\.|[-*])\s+\[([ \w-]+)\]\s+(\S.*)$/.exec(item) ?? [];
		return stepOf(text, mark);
	});
	return steps.length > 0 && steps.every(step => step !== undefined) ? steps : undefined;
}

function stepOf(text: unknown, status: unknown): PlanStep | undefined {
	if (typeof text !== 'string') return undefined;
	const word = typeof status === 'string' ? status : '';
	const state = /^(?:completed|done|x)$/i.test(word)
		? 'done'
		: /^in[_-]?progress$/.test(word)
			? 'active'
			: 'open';
	return {text: cleanLine(text), state};
}

function doneCount(steps: readonly PlanStep[]): Safe {
	const done = steps.filter(({state}) => state === 'done').length;
	return safe`${done} of ${steps.length} done`;
}

/** `1 of 4 done, Add the index`: how far it is, and the step at work or the next one. */
export function planWords(steps: readonly PlanStep[]): Safe {
	const next = steps.find(({state}) => state === 'active') ?? steps.find(({state}) => state === 'open');
	const count = doneCount(steps);
	return next ? safe`${count} \u00b7 ${next.text}` : count;
}

/** How far a plan is, in one quiet row, and under it the steps that the plan before it didn't have. */
export function collapsedPlan(
	steps: readonly PlanStep[],
	newSteps: ReadonlySet<number>,
	width: number,
): Line[] {
	const added = steps.filter((_, index) => newSteps.has(index));
	const isNew = added.length === steps.length;
	const isDone = steps.every(({state}) => state === 'done');
	const head: Line = [
		isDone ? marks.done : marks.open,
		{text: safe`plan`, tone: 'dim', bold: true, isCollapsed: true},
		{text: safe` ${isNew ? doneCount(steps) : planWords(steps)}`, tone: 'dim'},
	];
	const room = Math.max(1, width - 2);
	const activeAt = added.findIndex(({state}) => state === 'active');
	const start = Math.max(0, activeAt + 1 - maxCollapsedSteps);
	const rows = added.slice(start, start + maxCollapsedSteps).map(({text, state}, index) => {
		const row: Line = [marks[state], {text, tone: state === 'active' ? 'text' : 'dim'}];
		return collapsedRow(row, index === maxCollapsedSteps - 1 ? added.length - maxCollapsedSteps : 0, room);
	});
	return [fitLine(head, width), ...indented(rows, width)];
}

export function planRows(steps: readonly PlanStep[], width: number): Line[] {
	const hidden = steps.length - maxSteps;
	const rows = steps.slice(0, maxSteps).flatMap(({text, state}) =>
		wrapText(text, Math.max(1, width - 2)).map((row, index): Line => {
			const tone = state === 'done' ? 'dim' : 'text';
			return [index === 0 ? marks[state] : {text: safe`  `}, {text: row, tone}];
		}),
	);
	return hidden > 0 ? [...rows, [{text: moreLines(hidden), tone: 'dim'}]] : rows;
}
