import {cleanLine, cleanText} from '../cells/clean.ts';
import {cutMiddle} from '../cells/cut.ts';
import {fitLine, type Line, lineWidth, type Span, type Tone} from '../cells/line.ts';
import {type Safe, safe} from '../cells/safe.ts';
import {withoutColors} from '../markdown/ansi-colors.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {duration} from '../values/times.ts';
import {type FileChange, fileChange} from './file-change.ts';
import {expandedRows, firstLine, foldedRow, indented, indentedText} from './folded-rows.ts';
import {type Part, partOf, toolSummary} from './message-parts.ts';
import {lineCount} from './row-text.ts';
import {type CallKind, callKind} from './tool-kinds.ts';
import type {PairedMessage} from './tool-pairs.ts';

/** A tool call with its result. */
export type ToolCall = {
	readonly call: Part & {kind: 'tool-use'};
	readonly result?: Part & {kind: 'tool-result'};
	/** Time from call to result, ms, if known. */
	readonly took?: number;
};

type Look = {readonly width: number; readonly isExpanded: boolean};

/** A result of one line up to this length stands beside its call. */
const maxBeside = 40;
/** A failed output longer than this has its failing lines above it, up to so many. */
const minLongOutput = 10;
const maxFailingLines = 5;
/** Shorter durations tell nothing. */
const minTook = 1000;

/**
 * A call and its result as one card: what it does, its outcome and duration, and under it the first or the
 * failing line; expanded, the change or the input, and the whole result.
 */
export function toolCard(tool: ToolCall, {width, isExpanded}: Look): Line[] {
	const {call, result} = tool;
	const {words, details, rest} = toolSummary(call.input);
	const isFailed = hasFailed(tool);
	const change = isFailed ? undefined : fileChange(call.name, call.input, result?.text);
	const text = result?.text.trim() ?? '';
	const isBeside = text.length <= Math.min(maxBeside, width / 3) && !text.includes('\n');
	const hasFirstLine = !isBeside && !change && (isFailed || callKind(call.name) === undefined);
	const hides = !isExpanded && (rest !== '' || change !== undefined || text !== '');
	const outcome = outcomeOf(tool, change, {
		isFailed,
		isBeside: isBeside && (text === '' || !isExpanded),
		hasFirstLine: hasFirstLine && !isExpanded,
	});
	const head = headRow(tool, words, outcome, hides, width);
	if (!isExpanded) {
		if (!hasFirstLine) return [head];
		const first = isFailed ? failingLine(text) : firstLine(text);
		const span: Span = {text: first, tone: isFailed ? 'bad' : 'dim'};
		return [head, ...indented([foldedRow([], span, lineCount(text) - 1, Math.max(1, width - 2))], width)];
	}
	const failures = isFailed ? failureRows(text, width) : [];
	// A result that is the change itself isn't shown twice.
	const isInResult =
		change !== undefined && result !== undefined && change.lines.length > 1 && isSame(change, text);
	return [
		head,
		...(change ? changeRows(change, width) : indentedText(rest === '' ? '' : details, 'dim', width)),
		...failures,
		...(isInResult
			? []
			: indentedText(result?.text ?? '', isFailed && failures.length === 0 ? 'bad' : 'code', width)),
	];
}

function isSame({lines}: FileChange, text: string): boolean {
	return lines.join('\n').trim() === text;
}

function headRow(
	{call, result}: ToolCall,
	words: Safe,
	outcome: readonly Span[],
	hides: boolean,
	width: number,
): Line {
	const isFailed = result !== undefined && hasFailed({result});
	const glyph: Span = isFailed
		? {text: safe`✗ `, tone: 'bad', bold: true}
		: result
			? {text: safe`✓ `, tone: 'good'}
			: {text: safe`· `, tone: 'dim'};
	const name: Span = {text: toolName(call.name), tone: 'tool', bold: true, ...(hides && {isFold: true})};
	const tail: Span[] = outcome.flatMap(part => [{text: safe`  `}, part]);
	const tailWidth = lineWidth(tail) < width / 2 ? lineWidth(tail) : 0;
	const room = width - tailWidth - lineWidth([glyph, name]) - 1;
	const isPath = words.includes('/') && !words.includes(' ');
	const what: Span[] =
		words === '' || room < 2 ? [] : [{text: safe` ${isPath ? cutMiddle(words, room) : words}`}];
	return [...fitLine([glyph, name, ...what], width - tailWidth), ...(tailWidth > 0 ? tail : [])];
}

/** `mcp__github__get_issue` is `github get_issue`. */
function toolName(name: string): Safe {
	return cleanLine(name.replace(/^mcp__(.+?)__(.+)$/, '$1 $2'), 60);
}

type Facts = {readonly isFailed: boolean; readonly isBeside: boolean; readonly hasFirstLine: boolean};

function outcomeOf({result, took}: ToolCall, change: FileChange | undefined, facts: Facts): Span[] {
	const spans: Span[] = [];
	const add = (text: Safe, tone: Tone = 'dim') => spans.push({text, tone});
	if (change && change.added > 0) add(safe`+${change.added}`, 'good');
	if (change && change.removed > 0) add(safe`-${change.removed}`, 'bad');
	const text = result?.text.trim() ?? '';
	const exit = facts.isFailed ? exitCode(text) : undefined;
	if (exit !== undefined) add(safe`exit ${exit}`, 'bad');
	if (result && !change && facts.isBeside) {
		if (text !== '') add(withoutColors(cleanLine(text)), facts.isFailed ? 'bad' : 'dim');
		else if (!facts.isFailed) add(safe`no output`);
	} else if (result && !change && !facts.hasFirstLine) {
		const lines = lineCount(text);
		add(lines === 1 ? safe`1 line` : safe`${lines} lines`);
	}
	if (took !== undefined && took >= minTook) add(duration(took));
	return spans;
}

/** Whether a call has failed, by its result's mark or its exit code. */
export function hasFailed({result}: Pick<ToolCall, 'result'>): boolean {
	return result !== undefined && (result.isError || (exitCode(result.text) ?? 0) !== 0);
}

const exitLine = /^\[?(?:exit(?:ed)?(?: with)?(?: code| status)?|process exited with code)[: ]+(\d{1,3})\b/im;

/** The exit code that the first or the last line of an output tells. */
function exitCode(text: string): number | undefined {
	const trimmed = text.trim();
	const end = trimmed.lastIndexOf('\n') + 1;
	const code = (exitLine.exec(trimmed.slice(0, 80).split('\n', 1)[0] ?? '') ??
		exitLine.exec(trimmed.slice(end, end + 80)))?.[1];
	return code === undefined ? undefined : Number(code);
}

/** How much of an output is searched for its failing line, from the start and from the end. UTF-16 units. */
const maxSearched = 32_000;
const failing =
	/^\s*(?:FAIL\b|FAILED\b|--- FAIL|not ok\b|✗|✘|×|✕|E {2,}|\w*(?:Error|Exception|Failure)\b.*:|error(?:\[\w+\])?:|fatal:|panic:|npm (?:ERR!|error)|thread '.*' panicked)|: error\b|\berror TS\d+|: (?:command not found|No such file)/;
const colors = /\u001b\[[\d;]*[mK]/g;

/** The first line of a failed run that says what failed; the first one of all if none does. */
function failingLine(raw: string): Safe {
	const [found] = failingLines(raw, 1);
	return found ?? firstLine(outputLines(raw).find(line => !exitLine.test(line)) ?? raw);
}

/** The lines of a failed run that say what failed, at most so many. */
function failingLines(raw: string, max: number): Safe[] {
	const found: string[] = [];
	for (const line of outputLines(raw)) {
		if (line.length < 2000 && failing.test(line.replace(colors, ''))) found.push(line);
		if (found.length >= max) break;
	}
	return found.map(firstLine);
}

function outputLines(raw: string): string[] {
	const text =
		raw.length <= 2 * maxSearched ? raw : `${raw.slice(0, maxSearched)}\n${raw.slice(-maxSearched)}`;
	return text.split('\n').filter(line => line.trim() !== '');
}

/** What failed, above a long output. It stands in the output, too: it is neither searched nor copied here. */
function failureRows(text: string, width: number): Line[] {
	const lines = lineCount(text) > minLongOutput ? failingLines(text, maxFailingLines) : [];
	if (lines.length === 0) return [];
	const rows = [
		...lines.map((line): Span => ({text: line, tone: 'bad'})),
		{text: safe`· · ·`, tone: 'dim'} as const,
	];
	return rows.map(span =>
		fitLine([{text: safe`  `}, span], width).map(part => ({...part, isAside: true as const})),
	);
}

function changeRows({lines}: FileChange, width: number): Line[] {
	const rows: Line[] = [];
	for (const line of lines) {
		const left = expandedRows - rows.length;
		if (left <= 0) break;
		const tone = line.startsWith('+') ? 'good' : line.startsWith('-') ? 'bad' : 'code';
		const text = cleanText(line, {maxLength: 10_000});
		rows.push(...wrapSpans([{text, tone}], Math.max(1, width - 2), left));
	}
	return indented(rows, width);
}

/** The last call of a tool in a message that has no result yet: `Bash npm test`. */
export function openCallOf({message, results}: PairedMessage, name: string): Safe[] {
	const index = message.content?.findLastIndex((item, at) => item.name === name && !results.has(at)) ?? -1;
	const item = message.content?.[index];
	const part = item && partOf(item);
	return part?.kind === 'tool-use' ? [safe`${toolName(name)} ${toolSummary(part.input).words}`] : [];
}

/** Many small calls as one row: how many of each kind, and what they read. */
export function toolRun(tools: readonly ToolCall[], width: number): Line {
	const counts = new Map<CallKind, number>();
	for (const {call} of tools) {
		const kind = callKind(call.name);
		if (kind) counts.set(kind, (counts.get(kind) ?? 0) + 1);
	}
	const total = [...counts].map(([kind, count]) => kindCount(kind, count)).join(', ');
	const names = tools.map(({call}) => toolSummary(call.input).words).filter(words => words !== '');
	const what = [...new Set(names.map(words => (words.includes(' ') ? words : words.split('/').at(-1))))].join(
		', ',
	);
	return fitLine(
		[
			{text: safe`✓ `, tone: 'good'},
			{text: cleanLine(total), tone: 'tool', bold: true, isFold: true},
			{text: safe`  ${cleanLine(what, 400)}`, tone: 'dim'},
		],
		width,
	);
}

function kindCount(kind: CallKind, count: number): string {
	if (count === 1) return `1 ${kind}`;
	return `${count} ${kind === 'search' || kind === 'fetch' ? `${kind}es` : `${kind}s`}`;
}
