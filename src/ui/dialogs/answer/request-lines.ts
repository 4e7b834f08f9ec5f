import {
	type AgentRequest,
	noOption,
	onceOption,
	type RequestOption,
} from '../../../domain/sessions/agent-request.ts';
import {keyLabel} from '../../../keys/key-label.ts';
import {cleanLine, cleanText} from '../../../text/cells/clean.ts';
import {markDeceptive} from '../../../text/cells/deceptive.ts';
import {type Line, lineText, type Span, span, type Tone} from '../../../text/cells/line.ts';
import {type Safe, safe} from '../../../text/cells/safe.ts';
import {wrapText} from '../../../text/cells/wrap.ts';
import {codeLines} from '../../../text/markdown/code-lines.ts';
import {markdownRows} from '../../../text/markdown/markdown.ts';
import {withReturnSigns} from '../../../text/markdown/plain-rows.ts';
import type {ActionName} from '../../keys/binding.ts';
import type {KeyMap} from '../../keys/key-map.ts';

// What a request says and which answers it offers, as lines that can't pass for ours.

/** Longest name of a tool in the title. */
export const maxTool = 40;
/** Longest text of a request, in UTF-16 units: more than the service sends. */
const maxTextLength = 256 * 1024;

/**
 * The whole request, wrapped: where its paths lead, its text, and what its answers change. Only the text is indented,
 * so that it can't pass for the others. A request never changes, so its lines are cached.
 */
export function requestLines(request: AgentRequest, width: number, keys: KeyMap): readonly Line[] {
	const cached = wrapped.get(request);
	if (cached?.width === width && cached.keys === keys) return cached.lines;
	const raw = textOf(request);
	const isDiff = /^--- .*\n\+\+\+ /.test(raw);
	const shown = isDiff ? withReturnSigns(raw.split('\n')).join('\n') : raw;
	const clean = cleanText(shown, {maxLength: maxTextLength});
	const language = isDiff ? 'diff' : '';
	const spans = request.kind === 'question' ? [[span(clean)]] : [...codeLines(clean, language)];
	const {tool = ''} = request;
	const isToolInTitle =
		markDeceptive(tool) === tool && tool.length <= Math.min(maxTool, width - 30) && raw !== '';
	const hasTool = request.kind !== 'question' && !isToolInTitle;
	const lines = [
		...(hasTool ? [...ourLines(safe`Tool: `, tool, width, 'tool'), []] : []),
		...(request.warnings ?? []).flatMap(warning => ourLines(safe`! `, warning, width, 'warn')),
		...(request.warnings?.length ? [[]] : []),
		...(request.isPlan
			? markdownRows(clean, width).rows.map(row => [span(safe`  `), ...row])
			: spans.flatMap(line =>
					markedRows(lineText(line), width).map(([mark, row]) => [mark, span(row, line[0]?.tone)]),
				)),
		...optionLines(request, width, keys),
	];
	wrapped.set(request, {width, keys, lines});
	return lines;
}

/** What each answer stands for, unless that is plain from its name. */
export function optionLines(request: AgentRequest, width: number, keys: KeyMap): readonly Line[] {
	const isPlain = ({word, label, changes = []}: RequestOption) =>
		changes.length === 0 && [onceOption, noOption].some(one => one.word === word && one.label === label);
	const options = keyedOptions(request, keys).filter(({option}) => !isPlain(option));
	if (request.kind === 'question' || options.length === 0) return [];
	return [
		[span(cleanLine('─'.repeat(width + 2)), 'dim')],
		...options.flatMap(({key, option}) => [
			...ourLines(safe`  ${key} `, option.label, width, 'strong'),
			...(option.changes ?? []).flatMap(change => ourLines(safe`    + `, change, width)),
		]),
	];
}

/** A text in one line beside a mark of ours, which only its first row has. */
function ourLines(mark: Safe, words: string, width: number, tone?: Tone): readonly Line[] {
	const line = cleanLine(markDeceptive(words), Number.POSITIVE_INFINITY);
	const indent = span(cleanLine(' '.repeat(mark.length - 2)));
	return markedRows(line, Math.max(8, width + 2 - mark.length)).map(([goesOn, row], index) => [
		...(index === 0 ? [span(mark, tone)] : [indent, goesOn]),
		span(row, tone),
	]);
}

/**
 * Wraps a line. Its further rows are marked, so that they can't pass for lines; with a space behind the mark if the
 * line has one there.
 */
function markedRows(line: Safe, width: number): readonly (readonly [mark: Span, row: Safe])[] {
	let end = 0;
	return wrapText(line, width).map((row, index) => {
		const isAfterSpace = line[end] === ' ';
		if (index > 0) while (line[end] === ' ') end++;
		end += row.length;
		if (index === 0) return [span(safe`  `), row];
		return [span(isAfterSpace ? safe`↳ ` : safe` ↳`, 'dim'), row];
	});
}

/** The request's text. That of a permission has its invisible characters as codes, and says so. */
export function textOf(request: AgentRequest): string {
	const {kind, text: raw = ''} = request;
	if (kind === 'question') return raw;
	const known = revealed.get(request);
	if (known !== undefined) return known;
	const visible = markDeceptive(raw);
	const whole =
		visible === raw
			? raw
			: `${visible}\n\nCharacters that are invisible, or look like others, have their codes here: <U+…>.`;
	revealed.set(request, whole);
	return whole;
}

const revealed = new WeakMap<AgentRequest, string>();
const wrapped = new WeakMap<
	AgentRequest,
	{readonly width: number; readonly keys: KeyMap; readonly lines: readonly Line[]}
>();

export function isAnswerable(request: AgentRequest): boolean {
	return optionsOf(request).some(({allows}) => allows);
}

/**
 * The answers that the request offers. A request that isn't shown completely can't be allowed, whatever the service
 * says.
 */
export function optionsOf(request: AgentRequest): readonly RequestOption[] {
	const isWhole = textOf(request).length <= maxTextLength;
	return (request.options ?? []).filter(({allows}) => isWhole || !allows);
}

/** The answers with their keys: further ones are numbered, as far as there are keys. */
export function keyedOptions(request: AgentRequest, keys: KeyMap): readonly KeyedOption[] {
	const numbers = (keys.bindings.find(({action}) => action === 'answer-other')?.keys ?? []).values();
	return optionsOf(request).map(option => {
		const action = namedOptions.find(([word]) => word === option.word)?.[1];
		const number = action ? undefined : numbers.next().value;
		if (action) return {option, action, key: keys.label(action)};
		return {option, number, key: number === undefined ? safe`(no key)` : keyLabel(number)};
	});
}

export type KeyedOption = {
	readonly option: RequestOption;
	readonly key: Safe;
	readonly action?: ActionName;
	readonly number?: string | undefined;
};

export const namedOptions = [
	['once', 'answer-once'],
	['always', 'answer-always'],
	['no', 'answer-no'],
] as const;

export function shownLabel({label}: RequestOption, width?: number): Safe {
	return cleanLine(markDeceptive(label), width);
}
