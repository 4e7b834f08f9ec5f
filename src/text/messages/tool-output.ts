import type {Tone} from '../cells/line.ts';
import type {Safe} from '../cells/safe.ts';
import {firstLine} from './folded-rows.ts';
import {type Part, parsedJson} from './message-parts.ts';
import {lineCount} from './row-text.ts';
import {callKind} from './tool-kinds.ts';

/** A tool call with its result. */
export type ToolCall = {
	readonly call: Part & {kind: 'tool-use'};
	readonly result?: Part & {kind: 'tool-result'};
	/** Time from call to result, ms, if known. */
	readonly took?: number;
	/** Of a plan, the indexes of the steps that the plan before it didn't have. */
	readonly newSteps?: ReadonlySet<number> | undefined;
};

/** A failed output longer than this is searched for the lines that say what failed. */
const minLongOutput = 10;

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
	[
		/^User has answered your questions: /,
		text => {
			const answers = [...text.matchAll(/="([^"]*)"/g)].map(([, answer]) => answer);
			return answers.length > 0 ? answers.join(', ') : text;
		},
	],
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

/** Fields that best say what a JSON object is about, best first. */
const jsonFields = ['error', 'message', 'title', 'name', 'text', 'summary', 'html_url', 'url', 'status'];

/** What an object on one line is about, or all of it. */
function textInJson(json: string): string {
	const fields = Object(json.length < maxSearched ? parsedJson(json) : undefined);
	const known = jsonFields.map(name => fields[name]).find(value => typeof value === 'string' && value !== '');
	return known ?? json;
}

function cutAt(text: string, end: RegExp): string {
	const at = text.search(end);
	return at === -1 ? text : text.slice(0, at);
}

/** A tool's output without what its client puts around it. */
export function bareOutput(text: string): string {
	const bare = wrappers.find(([beginning]) => beginning.test(text))?.[1];
	return bare ? bare(text).replace(/^\n+/, '').trimEnd() : text;
}

/** Whether a call has failed, by its result's mark or, unless it only reads, by its exit code. */
export function hasFailed({call, result}: Pick<ToolCall, 'call' | 'result'>): boolean {
	if (result === undefined || result.isError) return result !== undefined;
	return callKind(call.name) === undefined && (exitCode(result.text) ?? 0) !== 0;
}

/** A whole line, as clients write it: a script that is printed may have a line such as `exit 1`. */
const exitLine =
	/^(?:\[exit (\d{1,3})\]|(?:exit code|(?:process )?exited with(?: exit)? code)[: ]+(\d{1,3}))[ \t]*\r?$/im;

/** The exit code in the first or the last line of an output, or in what its client puts around it. */
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

/** A folded card shows an output of so many lines whole; of a longer one, its beginning and its end. */
const maxWhole = 6;
const beginning = 2;
const end = 3;
/** Of a failed one, so many failing lines, and so many in all with those that follow. */
const maxFailing = 3;
const maxFailure = 8;

/** The lines of an output that a folded card shows, how many it hides, and which line says so. */
export type OutputSummary = {
	readonly lines: readonly {readonly text: string; readonly tone: Tone}[];
	readonly hidden: number;
	readonly countAt: number;
};

/** A short output, or the beginning and the end of a long one: the end is often the verdict. */
export function outputSummary(raw: string): OutputSummary {
	const lines = outputLines(raw);
	const isWhole = lines.length <= maxWhole;
	const shown = isWhole ? lines : [...lines.slice(0, beginning), ...lines.slice(-end)];
	return {
		lines: shown.map(text => ({text, tone: 'dim'})),
		hidden: isWhole ? 0 : lineCount(raw) - shown.length,
		countAt: beginning - 1,
	};
}

/**
 * A short failed output; of a long one, the first line that says what failed with those after it, and further such
 * lines. If none says it or nothing follows, the end.
 */
export function failureSummary(raw: string): OutputSummary {
	const all = outputLines(raw).filter(line => !exitLine.test(line));
	const isWhole = all.length <= maxWhole;
	const rest = all.filter(line => !hasMark(line, passing));
	const lines = isWhole || rest.length === 0 ? all : rest;
	const indexes = [...lines.keys()];
	const failures = indexes.filter(index => isFailing(lines[index] ?? '')).slice(0, maxFailing);
	const [first = lines.length] = failures;
	let shown = indexes;
	if (!isWhole) {
		// A single line, such as that under a stack trace, needs those before it.
		const start = failures.length > 1 ? first : Math.max(0, Math.min(first, lines.length - end));
		const others = failures.filter(index => index >= start + maxFailure);
		shown = [...indexes.slice(start, start + maxFailure - others.length), ...others];
	}
	const isBad = (index: number) => failures.length === 0 || isFailing(lines[index] ?? '');
	return {
		lines: shown.map(index => ({text: lines[index] ?? '', tone: isBad(index) ? 'bad' : 'dim'})),
		hidden: shown.length < all.length ? lineCount(raw) - shown.length : 0,
		countAt: shown.length - 1,
	};
}

/** The lines of a long failed output that say what failed, at most so many. */
export function failingLines(raw: string, max: number): Safe[] {
	if (lineCount(raw) <= minLongOutput) return [];
	return outputLines(raw).filter(isFailing).slice(0, max).map(firstLine);
}

function isFailing(line: string): boolean {
	return hasMark(line, failing);
}

function hasMark(line: string, mark: RegExp): boolean {
	return line.length < 2000 && mark.test(line.replace(colors, ''));
}

function outputLines(raw: string): string[] {
	const text =
		raw.length <= 2 * maxSearched ? raw : `${raw.slice(0, maxSearched)}\n${raw.slice(-maxSearched)}`;
	return text.split('\n').filter(line => line.trim() !== '');
}
