import {cleanLine, cleanText} from '../cells/clean.ts';
import {cutMiddle, takeColumns} from '../cells/cut.ts';
import {textWidth} from '../cells/graphemes.ts';
import {fitLine, type Line, lineText, lineWidth, type Span, type Tone} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {coloredSpans, withoutColors} from '../markdown/ansi-colors.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {markdownRows} from '../markdown/markdown.ts';
import {duration} from '../values/times.ts';
import {changedPath, collapsedChange} from './change-rows.ts';
import {capFor, collapsedRow, indented, lineCount, lineFed, moreLines} from './collapsed-rows.ts';
import {expandedTool, isProse} from './expanded-tool.ts';
import {type FileChange, fileChange} from './file-change.ts';
import {partOf} from './message-parts.ts';
import {collapsedPlan} from './plan-steps.ts';
import {type CallKind, callKind} from './tool-kinds.ts';
import {
	bareOutput,
	exitCode,
	failureSummary,
	hasFailed,
	outputSummary,
	type SummaryLine,
	type ToolCall,
	userAnswers,
} from './tool-output.ts';
import type {PairedMessage} from './tool-pairs.ts';
import {toolSummary} from './tool-summary.ts';

export type RowLook = {
	/** Maximum columns of a row. */
	readonly width: number;
	/** Shows collapsed content: tools, reasoning, long text. */
	readonly isExpanded: boolean;
	/** Whether the screen has many rows, so that cards may have more, and space between them. */
	readonly isTall?: boolean;
	/** The session's folder, if known. */
	readonly folder?: string | undefined;
};

/** Rows of a change in a collapsed card; on a tall screen, and on others. */
const changeRowsOf = {tall: 20, low: 12};

/** Maximum length of a one-line result beside its call. */
const maxBeside = 40;
/** Shorter durations, ms, aren't shown. */
const minTook = 1000;
const maxOutputLine = 400;
/** Lines of an output take two rows each if all of them fit in this many; failing lines always may. */
const maxOutputRows = 7;
/** Rows of what an agent returns. */
const proseRows = 5;
/** Columns of a head besides the call, its name and its result: the glyph, spaces, a duration. */
const besideChrome = 14;
/** Spaces before a line that may be left out. */
const maxIndent = 40;

/**
 * A call and its result as one card: its subject, outcome and duration, and below it the change, the first lines of
 * the output or the failing ones; expanded, the whole change or the input, and the whole result.
 */
export function toolCard(tool: ToolCall, {width, isExpanded, isTall, folder}: RowLook): Line[] {
	const {call, result} = tool;
	// A call without a result may wait for approval, and is shown unchanged.
	const {words, body, more, steps, questions} = toolSummary(call.input, {folder: result && folder});
	const isFailed = hasFailed(tool);
	const change = isFailed ? undefined : fileChange(call.name, call.input, result?.text, result?.firstChange);
	const output = lineFed(result?.text ?? '');
	const raw = output.trim();
	const text = bareOutput(raw);
	const isSmall = callKind(call.name) !== undefined;
	const others = tailOf(
		outcomeOf(tool, change, {text, isFailed, isQuiet: true, isBeside: false, isBelow: false}),
	);
	const besideRoom = Math.min(
		maxBeside,
		isSmall ? width / 3 : width - textWidth(words) - call.name.length - besideChrome,
		// Two spaces, and less than half of the head.
		width / 2 - lineWidth(others) - 3,
	);
	const isBeside =
		text === '' ||
		(text.length <= besideRoom && !text.includes('\n') && textWidth(cleanLine(text)) <= besideRoom);
	const hasAnswers = questions !== undefined && result !== undefined && !isFailed;
	const isQuiet = change !== undefined || (steps !== undefined && !isFailed) || hasAnswers;
	const showsOutput = !isBeside && !isQuiet && (isFailed || !isSmall);
	const whole = body.trim();
	const isShortened = whole.length > words.length || whole.includes('\n');
	const hides = !isExpanded && (more !== '' || isQuiet || raw !== '' || isShortened);
	const outcome = outcomeOf(tool, change, {
		text,
		isFailed,
		isQuiet,
		isBeside: isBeside && (text === '' || !isExpanded),
		isBelow: showsOutput && !isExpanded,
	});
	if (steps && !isFailed && !isExpanded)
		return collapsedPlan(steps, tool.newSteps ?? new Set(steps.keys()), width);
	const name = toolName(call.name, questions);
	const head = headRows(tool, {name, words}, outcome, {hides, mayWrap: !isExpanded && !isSmall}, width);
	if (isExpanded) return [...head, ...expandedTool(tool, head[0] ?? [], change, width)];
	if (hasAnswers) return [...head, ...answerRows(questions, raw, width)];
	if (change) {
		const maxRows = isTall ? changeRowsOf.tall : changeRowsOf.low;
		return [...head, ...collapsedChange(change, changedPath(call.input), width, maxRows)];
	}
	if (!showsOutput) return head;
	const room = Math.max(1, width - 2);
	if (isProse(call.name) && !isFailed) return [...head, ...indented(proseSummary(text, room), width)];
	// Its first line may be indented.
	const lines = isFailed || text !== raw ? text : output;
	return [
		...head,
		...indented(summaryRows(isFailed ? failureSummary(lines, isTall) : outputSummary(lines), room), width),
	];
}

function proseSummary(text: string, width: number): Line[] {
	const {rows, lines} = markdownRows(cleanText(text, {maxLength: capFor(width, proseRows)}), width, {
		maxRows: proseRows,
	});
	const shown = rows.filter(row => lineText(row).trim() !== '');
	const hidden = lineCount(text) - lines;
	return shown.map((row, index) => collapsedRow(row, index === shown.length - 1 ? hidden : 0, width));
}

/** Rows of an output without the indent that all lines have, in its tool's own colors; long lines are wrapped. */
function summaryRows(summary: readonly SummaryLine[], width: number): Line[] {
	const lines = summary.filter(line => 'text' in line);
	const indent = Math.min(...lines.map(({text}) => text.search(/[^ ]/)), maxIndent);
	let open: Omit<Span, 'text'> = {};
	const colored = summary.map((shown): Line => {
		if ('hidden' in shown) return [{text: moreLines(shown.hidden), tone: 'dim'}];
		const {text, tone} = shown;
		const line = cleanLine(text.slice(indent), maxOutputLine);
		if (tone === 'bad') return [{text: withoutColors(line), tone}];
		const next = coloredSpans(line, {tone}, open);
		open = next.open;
		return next.spans;
	});
	const wrapped = colored.map(spans => hanging(inTwoRows(spans, width)));
	const isShort = wrapped.flat().length <= maxOutputRows;
	return wrapped.flatMap((twoRows, index) => {
		const line = summary[index];
		const isWrapped = isShort || (line !== undefined && 'tone' in line && line.tone === 'bad');
		return (isWrapped ? twoRows : [colored[index] ?? []]).map(row => fitLine(row, width));
	});
}

/** A line as one row, or as two of which the second has all the rest, which may have to be cut. */
function inTwoRows(line: Line, width: number): Line[] {
	const [first = [], ...rest] = wrapSpans(line, width, 3);
	if (rest.length === 0) return [line];
	return [first, rest.flatMap((row, nth) => (nth === 0 ? row : [{text: safe` `}, ...row]))];
}

/** The rows of one line, the second one indented. */
function hanging([first = [], ...rest]: readonly Line[]): Line[] {
	const indent: Span = {text: safe`  `, isDecoration: true};
	return [first, ...rest.map(row => [indent, ...row])];
}

/** The name and subject of the call, wrapped into a second row if necessary, and the outcome at its end. */
function headRows(
	{call, result}: ToolCall,
	called: {readonly name: Safe; readonly words: Safe},
	outcome: readonly Span[],
	{hides, mayWrap}: {readonly hides: boolean; readonly mayWrap: boolean},
	width: number,
): Line[] {
	const isFailed = hasFailed({call, result});
	const glyph: Span = isFailed
		? {text: safe`✗ `, tone: 'bad', bold: true}
		: result
			? {text: safe`✓ `, tone: 'good'}
			: {text: safe`· `, tone: 'dim'};
	const {words} = called;
	const name: Span = {text: called.name, tone: 'tool', bold: true, isCollapsed: hides};
	const tail = tailOf(outcome);
	const tailWidth = lineWidth(tail) < width / 2 ? lineWidth(tail) : 0;
	const roomBeside = width - tailWidth;
	const room = roomBeside - lineWidth([glyph, name]) - 1;
	const shown = isPath(words) ? cutMiddle(words, Math.max(0, room)) : words;
	const what: Span[] = words === '' || room < 2 ? [] : [{text: safe` ${shown}`}];
	const whole = [glyph, name, ...what];
	const isWrapped = mayWrap && lineWidth(whole) > roomBeside;
	const rows = isWrapped ? wrappedHead(whole, lineWidth(whole) > width ? width : roomBeside) : [whole];
	return rows.map((row, index) =>
		index < rows.length - 1 ? row : [...fitLine(row, roomBeside), ...(tailWidth > 0 ? tail : [])],
	);
}

/** A head in two rows: between words, or within a long one that would leave the first row half empty. */
function wrappedHead(head: Line, width: number): Line[] {
	const [first = [], rest] = inTwoRows(head, width);
	const indent: Span = {text: safe`    `};
	if (!rest) return [head];
	if (lineWidth(first) > width / 2) return [first, [indent, ...rest]];
	const before = head.slice(0, -1);
	const words = head.at(-1)?.text ?? safe``;
	const begun = takeColumns(words, width - lineWidth(before));
	const end = stillSafe(words.slice(begun.length));
	const isInWord = words.startsWith(' ') && /\S$/.test(begun) && /^\S/.test(end);
	return isInWord
		? [
				[...before, {text: begun}],
				[indent, {text: end}],
			]
		: [head];
}

function tailOf(outcome: readonly Span[]): Span[] {
	return outcome.flatMap(part => [{text: safe`  `}, part]);
}

function isPath(words: string): boolean {
	return words.includes('/') && !words.includes(' ');
}

/** `mcp__github__get_issue` is `github get_issue`; each client names questions to the user in its own way. */
function toolName(name: string, questions?: readonly string[]): Safe {
	if (questions) return questions.length === 1 ? safe`Question` : safe`Questions`;
	return cleanLine(name.replace(/^mcp__(.+?)__(?=.)/, '$1 '), 60);
}

type ShownOutput = {
	readonly text: string;
	readonly isFailed: boolean;
	/** Whether the output says nothing that the card doesn't. */
	readonly isQuiet: boolean;
	readonly isBeside: boolean;
	/** Whether lines of it stand under the head. */
	readonly isBelow: boolean;
};

function outcomeOf({result, took}: ToolCall, change: FileChange | undefined, output: ShownOutput): Span[] {
	const spans: Span[] = [];
	const add = (text: Safe, tone: Tone = 'dim') => spans.push({text, tone});
	if (change && change.added > 0) add(safe`+${change.added}`, 'good');
	if (change && change.removed > 0) add(safe`-${change.removed}`, 'bad');
	if (change?.isCut) add(safe`or more`);
	const {text, isFailed, isQuiet, isBeside, isBelow} = output;
	const exit = isFailed ? exitCode(result?.text ?? '') : undefined;
	if (exit !== undefined) add(safe`exit ${exit}`, 'bad');
	if (result && !isQuiet && isBeside) {
		if (text !== '') add(withoutColors(cleanLine(text)), isFailed ? 'bad' : 'dim');
		else if (!isFailed) add(safe`no output`);
	} else if (result && !isQuiet && !isBelow) {
		const lines = lineCount(text);
		add(lines === 1 ? safe`1 line` : safe`${lines} lines`);
	}
	if (took !== undefined && took >= minTook) add(duration(took));
	return spans;
}

/** The last call of a tool in a message that has no result yet: `Bash npm test`. */
export function openCallOf({message, results}: PairedMessage, name: string): Safe[] {
	const index = message.content?.findLastIndex((item, at) => item.name === name && !results.has(at)) ?? -1;
	const item = message.content?.[index];
	const part = item && partOf(item);
	if (part?.kind !== 'tool-use') return [];
	const {words, questions} = toolSummary(part.input);
	return [safe`${toolName(name, questions)} ${words}`];
}

/** Many small calls as one row: the count of each kind, and their files. */
export function toolRun(tools: readonly ToolCall[], {width, folder}: RowLook): Line {
	const counts = new Map<CallKind, number>();
	for (const {call} of tools) {
		const kind = callKind(call.name);
		if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	const total = [...counts].map(([kind, count]) => kindCount(kind, count)).join(', ');
	const names = tools.map(({call}) => toolSummary(call.input, {folder}).words).filter(words => words !== '');
	const what = [...new Set(names.map(words => (words.includes(' ') ? words : words.split('/').at(-1))))].join(
		', ',
	);
	return fitLine(
		[
			{text: safe`✓ `, tone: 'good'},
			{text: cleanLine(total), tone: 'tool', bold: true, isCollapsed: true},
			{text: safe`  ${cleanLine(what, 400)}`, tone: 'dim'},
		],
		width,
	);
}

function kindCount(kind: CallKind, count: number): string {
	if (count === 1) return `1 ${kind}`;
	return `${count} ${kind === 'search' || kind === 'fetch' ? `${kind}es` : `${kind}s`}`;
}

const maxRows = 8;
const maxAnswerRows = 2;
const maxLength = 400;

/** The user's answers, under the head that asks the first question; each other answer follows its question. */
function answerRows(questions: readonly string[], output: string, width: number): Line[] {
	const room = Math.max(1, width - 2);
	const known = userAnswers(output);
	const isKnown = known.length === questions.length;
	const answers = isKnown ? known : [bareOutput(output)];
	const rows = answers.flatMap((answer, index) => [
		...(index === 0 ? [] : [fitLine([{text: cleanLine(questions[index] ?? '', maxLength)}], room)]),
		...oneAnswer(answer, room),
	]);
	const shown = rows.length > maxRows ? rows.slice(0, maxRows - 1) : rows;
	const hidden = rows.length - shown.length;
	const count: Line[] = hidden > 0 ? [fitLine([{text: moreLines(hidden), tone: 'dim'}], room)] : [];
	return indented([...shown, ...count], width);
}

function oneAnswer(answer: string, width: number): Line[] {
	const text = cleanLine(answer.trim(), maxLength);
	if (text === '') return [];
	const wrapped = wrapSpans([{text, tone: 'strong'}], Math.max(1, width - 2), maxAnswerRows + 1);
	const [first = [], ...rest] = wrapped;
	const second = rest.flatMap((row, index) => (index === 0 ? row : [{text: safe` `}, ...row]));
	const mark: Span = {text: safe`\u2192 `, tone: 'dim', isDecoration: true};
	const rows: Line[] = [[mark, ...first], ...(rest.length > 0 ? [[{text: safe`  `}, ...second]] : [])];
	return rows.map(row => fitLine(row, width));
}
