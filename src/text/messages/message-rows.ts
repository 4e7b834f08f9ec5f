import type {Message, MessageRole} from '../../domain/messages/message.ts';
import {cleanLine, cleanText, maxTextLength} from '../cells/clean.ts';
import {cutEnd, pad} from '../cells/cut.ts';
import {fitLine, type Line, lineWidth, type Span, type Tone} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {withoutColors} from '../markdown/ansi-colors.ts';
import {type MarkdownResult, markdownRows} from '../markdown/markdown.ts';
import {isDiff, plainRows, type TextRows} from '../markdown/plain-rows.ts';
import {byteSize} from '../values/numbers.ts';
import {clockTime} from '../values/times.ts';
import {messageParts, type Part, partsShown, toolSummary} from './message-parts.ts';
import {lineCount} from './row-text.ts';

/** An entry of a session's stream; mirrors the stores' `StreamEntry`. */
export type RowsEntry =
	| {
			readonly kind: 'message';
			readonly id: string;
			readonly message: Message;
			readonly role?: MessageRole;
			readonly isRoleLate?: true;
	  }
	| {readonly kind: 'gap'; readonly id: string};

export type RowOptions = {
	/** Maximum columns of a row. */
	readonly width: number;
	/** Shows collapsed content: tools, reasoning, long text. */
	readonly isExpanded: boolean;
	/** A delivery state, at the right end of the first row if it fits. */
	readonly note?: Span;
	/** Layout results of an earlier version at the same width and expansion; updated by this call. */
	readonly memo?: RowsMemo;
};

/** A message's markdown results by part: streamed text is laid out again only from its last lines on. */
export type RowsMemo = Map<number, MarkdownResult>;

/** Maximum rows of collapsed text, an agent's answer and expanded text; a row then says what is hidden. */
const collapsedRows = 40;
const answerRows = 400;
const expandedRows = 2000;
/** Laying out a shorter text costs no more than comparing it with the previous one. */
const minMemoLength = 1000;
const maxExpanded = maxTextLength;

const gutter = 13;
const minWidthWithGutter = 48;

/** Width of the role and time at the left of each row; 0 if the pane is too narrow. */
export function gutterOf(width: number): number {
	return width >= minWidthWithGutter ? gutter : 0;
}

const roles: Readonly<Record<MessageRole, {word: Safe; tone: Tone}>> = {
	user: {word: safe`you`, tone: 'user'},
	assistant: {word: safe`agent`, tone: 'assistant'},
	tool: {word: safe`tool`, tone: 'tool'},
};

/** Lays out a stream entry in rows of at most `width` columns; the same input gives the same rows. */
export function messageRows(entry: RowsEntry, options: RowOptions): Line[] {
	const width = Math.max(1, options.width);
	if (entry.kind === 'gap') {
		const text = safe`\u00b7 \u00b7 \u00b7 messages not loaded yet`;
		return [fitLine([{text, tone: 'dim'}], width)];
	}
	const {message} = entry;
	const hasGutter = gutterOf(width) > 0;
	const room = width - gutterOf(width);
	const body = bodyRows(message, entry.isRoleLate ? undefined : entry.role, {...options, width: room});
	const lead = leadSpans(message, entry.role, hasGutter);
	const rows = hasGutter ? beside(lead, body) : [fitLine(lead, width), ...body];
	return options.note ? withNote(rows, options.note, width) : rows;
}

function leadSpans(message: Message, role: MessageRole | undefined, isPadded: boolean): Span[] {
	const {word, tone} = role ? roles[role] : {word: safe`\u00b7`, tone: 'dim' as const};
	const time = clockTime(message.createdAt);
	return [
		{text: isPadded ? pad(word, 5) : word, tone: message.isError ? 'bad' : tone, bold: role !== undefined},
		{text: isPadded ? safe` ${pad(time, 5)}  ` : safe` ${time}`, tone: 'dim'},
	];
}

function beside(lead: readonly Span[], body: readonly Line[]): Line[] {
	const under: Span = {text: stillSafe(' '.repeat(gutter))};
	return body.map((row, index) => (index === 0 ? [...lead, ...row] : [under, ...row]));
}

function withNote(rows: readonly Line[], note: Span, width: number): Line[] {
	const [first = [], ...rest] = rows;
	const free = width - lineWidth(first) - lineWidth([note]);
	if (free < 1) return [...rows];
	const aside = [{text: stillSafe(' '.repeat(free))}, note].map((part): Span => ({...part, isAside: true}));
	return [[...first, ...aside], ...rest];
}

function bodyRows(message: Message, role: MessageRole | undefined, options: RowOptions): Line[] {
	const {width} = options;
	const rows: Line[] = [];
	const look: TextLook = message.isError ? 'error' : role === 'user' ? 'verbatim' : 'markdown';
	if (message.isError) rows.push([{text: cutEnd(safe`! error`, width), tone: 'bad', bold: true}]);
	for (const [index, part] of messageParts(message).entries())
		rows.push(...partRows(part, index, options, look));
	const more = (message.content?.length ?? 0) - partsShown;
	if (more > 0) rows.push([{text: cutEnd(safe`+ ${more} parts`, width), tone: 'dim'}]);
	return rows.length > 0 ? rows : [[{text: cutEnd(safe`(no content)`, width), tone: 'dim'}]];
}

/** User text is shown verbatim; an agent's text is markdown. */
type TextLook = 'markdown' | 'verbatim' | 'error';

function partRows(part: Part, index: number, options: RowOptions, look: TextLook): Line[] {
	const {width} = options;
	switch (part.kind) {
		case 'text':
			return textRows(part.text, index, options, look);
		case 'thinking':
			return collapsedPart([{text: safe`thinking`, tone: 'dim', bold: true}], part.text, 'dim', options);
		case 'tool-use': {
			const name: Span = {text: cleanLine(part.name, 60), tone: 'tool', bold: true};
			const {words, details} = toolSummary(part.input);
			return collapsedPart([name, {text: safe` ${words}`}], details, 'code', options, false);
		}
		case 'tool-result': {
			const head: Span = part.isError
				? {text: safe`error`, tone: 'bad', bold: true}
				: {text: safe`result`, tone: 'tool'};
			return collapsedPart([head], part.text, part.isError ? 'bad' : 'code', options);
		}
		case 'attachment':
			return [fitLine([{text: attachmentText(part), tone: 'info'}], width)];
		case 'unknown': {
			const text = safe`(unknown part: ${cleanLine(part.what, 80)})`;
			return [fitLine([{text, tone: 'dim'}], width)];
		}
	}
}

function attachmentText(part: Part & {kind: 'attachment'}): Safe {
	const about = [
		stillSafe(part.word),
		...(part.name ? [cleanLine(part.name, 80)] : []),
		...(part.type ? [cleanLine(part.type.replace(/^image\//, ''), 40)] : []),
		...(part.bytes === undefined ? [] : [byteSize(part.bytes)]),
	];
	return safe`[${stillSafe(about.join(' '))}]`;
}

/** Rows of a text; a last row counts the lines that don't fit. */
function textRows(raw: string, index: number, options: RowOptions, look: TextLook): Line[] {
	const {width, isExpanded, memo} = options;
	const maxRows = isExpanded ? expandedRows : look === 'markdown' ? answerRows : collapsedRows;
	const cap = capFor(width, maxRows);
	const whole = raw.trimEnd();
	const text = cleanText(whole, {maxLength: cap});
	let shown: TextRows;
	if (look === 'markdown' && !isDiff(text)) {
		const result = markdownRows(text, width, {maxRows, before: memo?.get(index)});
		if (text.length > minMemoLength) memo?.set(index, result);
		shown = result;
	} else shown = plainRows(text, width, maxRows, {tone: tones[look]});
	return [...shown.rows, ...restRows(whole, cap, shown, maxRows, width)];
}

/** Tones of texts that are not laid out as markdown. */
const tones = {error: 'bad', verbatim: 'text', markdown: 'code'} as const satisfies Record<TextLook, Tone>;

/** One line for a collapsed part: its head, its first words, and how many more lines there are. */
function collapsedPart(
	head: readonly Span[],
	raw: string,
	tone: Tone,
	{width, isExpanded}: RowOptions,
	hasPreview = true,
): Line[] {
	const text = raw.trimEnd();
	if (isExpanded && text !== '') {
		const cap = capFor(width, expandedRows);
		const cleaned = cleanText(text, {maxLength: cap});
		const shown = plainRows(cleaned, Math.max(1, width - 2), expandedRows, {tone});
		const rest = restRows(text, cap, shown, expandedRows, width);
		const indented = shown.rows.map(row => (width > 2 ? [{text: safe`  `}, ...row] : row));
		return [fitLine(head, width), ...indented, ...rest];
	}
	const first = hasPreview ? withoutColors(firstLine(text)) : safe``;
	const hidden = text === '' ? 0 : lineCount(text) - (hasPreview ? 1 : 0);
	const count: Span[] = hidden > 0 ? [{text: safe`  ${moreLines(hidden)}`, tone: 'dim'}] : [];
	const words: Span[] = first === '' ? [] : [{text: safe` ${first}`, tone: 'dim'}];
	return [
		[
			...fitLine([...head, ...words], width - Math.min(lineWidth(count), width - 1)),
			...fitLine(count, width - 1),
		],
	];
}

function firstLine(text: string): Safe {
	const start = text.search(/\S/);
	if (start === -1) return safe``;
	const feed = text.indexOf('\n', start);
	return cleanLine(text.slice(start, feed === -1 ? undefined : feed), 400);
}

function moreLines(count: number): Safe {
	return count === 1 ? safe`+ 1 line` : safe`+ ${count} lines`;
}

/** The row that says what is hidden, if anything. `cap` is where the raw text was cut. */
function restRows(raw: string, cap: number, shown: TextRows, maxRows: number, width: number): Line[] {
	// If the text was cut before its rows ran out, its last line is incomplete.
	const isCutLine = raw.length > cap && shown.rows.length < maxRows;
	const all = lineCount(raw);
	const hidden = all - (isCutLine ? shown.lines - 1 : shown.lines);
	if (hidden <= 0) return [];
	const text = all === 1 ? safe`+ the rest of ${byteSize(raw.length)}` : moreLines(hidden);
	return [[{text: cutEnd(text, width), tone: 'dim'}]];
}

/**
 * Enough UTF-16 units to fill the visible rows, so that a collapsed text costs no more than its rows.
 */
function capFor(width: number, maxRows: number): number {
	return Math.min(maxExpanded, (maxRows + 1) * (width + 8) * 4);
}
