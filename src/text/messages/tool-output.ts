import type {Tone} from '../cells/line.ts';
import type {Safe} from '../cells/safe.ts';
import {firstLine, lineCount} from './collapsed-rows.ts';
import {type Part, parsedJson} from './message-parts.ts';
import {callKind} from './tool-kinds.ts';

export type ToolCall = {
	readonly call: Part & {kind: 'tool-use'};
	readonly result?: Part & {kind: 'tool-result'};
	/** Time from call to result, ms, if known. */
	readonly took?: number;
	/** Of a plan, the indexes of the steps that the plan before it didn't have. */
	readonly newSteps?: ReadonlySet<number> | undefined;
};

/** What clients put around an output, by its beginning, and the output itself. */
const wrappers: readonly (readonly [beginning: RegExp, bare: (text: string) => string])[] = [
	[/^<tool_use_error>/, text => text.replace(/^<tool_use_error>|<\/tool_use_error>$/g, '')],
	[
		/^The user doesn't want to (?:proceed with|take) this /,
		text => {
			const [, words] = text.split('the user said:');
			return words === undefined ? 'rejected by the user' : `rejected: ${words.trim()}`;
		},
	],
	[/^\[Request interrupted by user[^\]]*\]$/, () => 'interrupted by the user'],
	[/^User has answered your questions: /, text => userAnswers(text).join(', ') || text],
	// Gemini.
	[
		/^Command: /,
		text => cutAt(text.replace(/^[\s\S]*?\n(?:Output|Stdout): ?/, ''), /\n(?:Error|Stderr|Exit Code): /),
	],
	// Codex.
	[
		/^(?:Exit code|Chunk ID|Wall time): (?:.*\n){1,5}?Output:/,
		text => text.slice(text.indexOf('\nOutput:') + '\nOutput:'.length),
	],
	[
		/^<(?:status|retrieval_status|file|path|stdout|output)>/,
		text =>
			text.replace(
				/^<(status|retrieval_status|path|type)>.*<\/\1>$|^<\/?(?:stdout|stderr|output|file|content)>$/gm,
				'',
			),
	],
	[/^\{".*\}$/, textInJson],
];

/** The user's answers to an agent's questions, in order. */
export function userAnswers(output: string): string[] {
	return [...output.matchAll(/="([^"]*)"/g)].map(([, answer = '']) => answer);
}

/** Fields that best describe a JSON object, best first. */
const jsonFields = ['error', 'message', 'title', 'name', 'text', 'summary', 'html_url', 'url', 'status'];

/** The description of an object on one line, or all of it. */
function textInJson(json: string): string {
	const fields = Object(json.length < maxSearched ? parsedJson(json) : undefined);
	const known = jsonFields.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
	return known ?? json;
}

function cutAt(text: string, end: RegExp): string {
	const at = text.search(end);
	return at === -1 ? text : text.slice(0, at);
}

/** A tool's output without the text that its client adds around it. */
export function bareOutput(text: string): string {
	const bare = wrappers.find(([beginning]) => beginning.test(text))?.[1];
	return bare ? bare(text).replace(/^\n+/, '').trimEnd() : text;
}

/** Whether a call has failed, by its result's mark or, unless it only reads, by its exit code. */
export function hasFailed({call, result}: ToolCall): boolean {
	if (result === undefined || result.isError) return result !== undefined;
	return callKind(call.name) === undefined && (exitCode(result.text) ?? 0) !== 0;
}

/** A whole line, as clients write it: a script that is printed may have a line such as `exit 1`. */
const exitLine =
	/^(?:\[exit (\d{1,3})\]|(?:exit code|(?:process )?exited with(?: exit)? code)[: ]+(\d{1,3}))[ \t]*\r?$/im;

/** The exit code in the first or last line of an output, or in the text that its client adds. */
export function exitCode(text: string): number | undefined {
	const trimmed = text.trim();
	const isWrapped = /^(?:Command|Chunk ID|Wall time): /.test(trimmed);
	const last = trimmed.slice(trimmed.lastIndexOf('\n') + 1);
	const parts = isWrapped
		? [trimmed.slice(0, 300), trimmed.slice(-300)]
		: [trimmed.slice(0, 80).split('\n', 1)[0] ?? '', last.slice(0, 80)];
	const found = parts.map(part => exitLine.exec(part)).find(match => match !== null);
	return found ? Number(found[1] ?? found[2]) : undefined;
}

/** How much of an output is searched for its failing line, from the start and from the end. UTF-16 units. */
const maxSearched = 32_000;
const failing =
	/^\s*(?:FAIL(?:ED|URE)?\b|ERROR\b|\[ERROR\]|--- FAIL|not ok\b|[✕✖✗✘×]|E {2,}|\w*(?:Error|Exception|Failure)\b.*:|(?:[a-z_]\w*\.)+[A-Z]\w+: |error(?:\[\w+\])?:|fatal:|panic:|npm (?:ERR!|error)|thread '.*' panicked|\d+:\d+ +error )|: error\b|\berror TS\d+|: (?:command not found|No such file)/;
/** Tests that passed, of which a failed run has many. */
const passing = /^\s*(?:[✓✔√]|ok\b|PASS\b)/;
const colors = /\u001b\[[\d;]*[mK]/g;

/** A collapsed card shows an output of so many lines whole; of a longer one, its beginning and its end. */
const maxWhole = 6;
const linesAtStart = 2;
const linesAtEnd = 3;
/** Of a failed one, so many failing lines, and so many in all with those that follow. */
const maxFailing = 3;
const maxFailure = {low: 8, tall: 12};

/** A line of an output that a collapsed card shows, or how many are hidden at its place. */
export type SummaryLine = {readonly text: string; readonly tone: Tone} | {readonly hidden: number};

/** A short output, or the beginning and the end of a long one: the end is often the verdict. */
export function outputSummary(raw: string): SummaryLine[] {
	const lines = outputLines(raw);
	const shown =
		lines.length <= maxWhole ? lines : [...lines.slice(0, linesAtStart), ...lines.slice(-linesAtEnd)];
	return withGaps(shown, lines, raw, () => 'dim');
}

/**
 * A short failed output; of a long one, the first line that says what failed with those after it, and further such
 * lines. If none says it or nothing follows, the end.
 */
export function failureSummary(raw: string, isTall = false): SummaryLine[] {
	const all = outputLines(raw).filter(({text}) => !exitLine.test(text));
	const isWhole = all.length <= maxWhole;
	const rest = all.filter(({text}) => !hasMark(text, passing));
	const lines = isWhole || rest.length === 0 ? all : rest;
	const failures = lines.filter(({text}) => isFailing(text)).slice(0, maxFailing);
	const toneOf = ({text}: OutputLine): Tone => (failures.length === 0 || isFailing(text) ? 'bad' : 'dim');
	const summary = (shown: readonly OutputLine[]) => withGaps(shown, all, raw, toneOf);
	if (isWhole) return summary(lines);
	const first = failures[0] ? lines.indexOf(failures[0]) : lines.length;
	// A single line, such as that under a stack trace, needs those before it.
	const start = failures.length > 1 ? first : Math.max(0, Math.min(first, lines.length - linesAtEnd));
	const most = isTall ? maxFailure.tall : maxFailure.low;
	// With the counts of hidden lines it may be one row more.
	for (let count = most; ; count--) {
		const others = failures.filter(line => lines.indexOf(line) >= start + count);
		const shown = summary([...lines.slice(start, start + count - others.length), ...others]);
		if (shown.length <= most + 1 || count <= maxFailing) return shown;
	}
}

type OutputLine = {
	readonly text: string;
	/** Its index among all lines, also empty ones. */
	readonly at: number;
};

/** Some of an output's lines, and where others are hidden, how many. Only those in `all` matter. */
function withGaps(
	shown: readonly OutputLine[],
	all: readonly OutputLine[],
	raw: string,
	toneOf: (line: OutputLine) => Tone,
): SummaryLine[] {
	const isShown = new Set(shown);
	const isSearchedWhole = raw.length <= 2 * maxSearched;
	const hidden = all.filter(line => !isShown.has(line));
	const summary: SummaryLine[] = [];
	const addGap = (after: number, before: number) => {
		const count = before - after - 1;
		if (count < 1) return;
		const own = hidden.filter(({at}) => after < at && at < before);
		// A line takes no more room than its count.
		const [only] = count === 1 ? own : [];
		if (only) summary.push({text: only.text, tone: 'dim'});
		else if (!isSearchedWhole || own.length > 0) summary.push({hidden: count});
	};
	let last = -1;
	for (const line of shown) {
		addGap(last, line.at);
		summary.push({text: line.text, tone: toneOf(line)});
		last = line.at;
	}
	addGap(last, lineCount(raw));
	return summary;
}

/** A failed output with more lines than this is long. */
const minLongOutput = 10;

/** The lines of a long failed output that say what failed, at most so many. */
export function failingLines(raw: string, max: number): Safe[] {
	if (lineCount(raw) <= minLongOutput) return [];
	return outputLines(raw)
		.map(({text}) => text)
		.filter(isFailing)
		.slice(0, max)
		.map(firstLine);
}

function isFailing(line: string): boolean {
	return hasMark(line, failing);
}

function hasMark(line: string, mark: RegExp): boolean {
	return line.length < 2000 && mark.test(line.replace(colors, ''));
}

/** The lines of an output that aren't empty; of a very long one, those at both ends. */
function outputLines(raw: string): OutputLine[] {
	const linesFrom = (text: string, from: number) =>
		text
			.split('\n')
			.map((line, index): OutputLine => ({text: line, at: from + index}))
			.filter(({text: line}) => line.trim() !== '');
	if (raw.length <= 2 * maxSearched) return linesFrom(raw, 0);
	const tail = raw.slice(-maxSearched);
	return [
		...linesFrom(raw.slice(0, maxSearched), 0),
		...linesFrom(tail, Math.max(0, lineCount(raw) - lineCount(tail))),
	];
}
