import {type Message, type MessageRole, sendingSession} from '../../domain/messages/message.ts';
import {cleanLine, cleanText} from '../cells/clean.ts';
import {cutEnd} from '../cells/cut.ts';
import {fitLine, type Line, lineWidth, type Span, type Tone, tinted} from '../cells/line.ts';
import {type Safe, safe, stillSafe} from '../cells/safe.ts';
import {withLineFeeds} from '../cells/terminal-lines.ts';
import {fenceLabel, type MarkdownResult, markdownRows} from '../markdown/markdown.ts';
import {type Fence, openFence} from '../markdown/open-fence.ts';
import {isDiff, plainRows, type TextRows} from '../markdown/plain-rows.ts';
import {byteSize} from '../values/numbers.ts';
import {clockTime} from '../values/times.ts';
import {
	capFor,
	collapsedRow,
	expandedRows,
	firstLine,
	indentedText,
	lineCount,
	lineFed,
	restRows,
} from './collapsed-rows.ts';
import {messageParts, type Part, partOf, partsShown} from './message-parts.ts';
import {type RowLook, toolCard, toolRun} from './tool-card.ts';
import {callKind} from './tool-kinds.ts';
import {hasFailed, type ToolCall} from './tool-output.ts';
import {createToolPairing, type PairedMessage, type ResultPlace} from './tool-pairs.ts';

/** An entry of a session's stream; mirrors the stores' `StreamEntry`. */
type RowsEntry =
	| {
			readonly kind: 'message';
			readonly id: string;
			readonly message: Message;
			readonly role?: MessageRole;
			readonly isRoleLate?: boolean;
	  }
	| {readonly kind: 'gap'; readonly id: string};

export type RowOptions = RowLook & {
	/** The messages to draw, with their tool calls matched; without them, the entry's alone. */
	readonly messages?: readonly PairedMessage[] | undefined;
	/** Layout results of an earlier version at the same width and expansion; updated by this call. */
	readonly memo?: RowsMemo;
};

/** Cached layout of a message's parts: streamed text is laid out only from its last lines on. */
export type RowsMemo = Map<number, MarkdownResult>;

/** Maximum rows of collapsed text and of an agent's answer; one more row counts the hidden lines. */
const collapsedRows = 40;
/** How many of these rows show the end of a collapsed text. */
const endRows = 6;
const answerRows = 400;
/** Laying out a shorter text costs no more than comparing it with the previous one. */
const minMemoLength = 1000;

/** With the column of the cursor's mark before it, text starts in the fourth column. */
const gutter = 2;
const minWidthWithGutter = 20;

/** Width of the indent of a message's rows under its head; 0 if the pane is too narrow. */
export function gutterOf(width: number): number {
	return width >= minWidthWithGutter ? gutter : 0;
}

const roles: Readonly<Record<MessageRole, {word: Safe; tone: Tone}>> = {
	user: {word: safe`you`, tone: 'user'},
	assistant: {word: safe`agent`, tone: 'assistant'},
	tool: {word: safe`tool`, tone: 'tool'},
};

/** Authors of messages in a transcript besides the user and the agent itself. */
const authors: ReadonlyMap<string, {word: Safe; tone: Tone}> = new Map([
	['sub-agent', {word: safe`sub-agent`, tone: 'assistant'}],
	['to sub-agent', {word: safe`agent to sub-agent`, tone: 'assistant'}],
	['system', {word: safe`client`, tone: 'dim'}],
]);

function senderOf(message: Message): {word: Safe; tone: Tone} | undefined {
	const session = sendingSession(message);
	if (session === undefined) return undefined;
	const word = session === '' ? safe`an agent` : safe`the agent of ${cleanLine(session, 40)}`;
	return {word: safe`sent by ${word}`, tone: 'user'};
}

/** `agent 14:02`, in a row of its own above a message; `note` is at the right end if it fits. */
export function headRow({message, role}: RowsEntry & {kind: 'message'}, width: number, note?: Span): Line {
	const known = authors.get(message.author ?? '') ?? senderOf(message) ?? (role && roles[role]);
	const {word, tone} = known ?? {word: safe`\u00b7`, tone: 'dim' as const};
	const time: Span = {text: safe` ${clockTime(message.createdAt)}`, tone: 'dim'};
	const head = fitLine(
		[{text: word, tone: message.isError ? 'bad' : tone, bold: known !== undefined}, time],
		width,
	);
	const free = width - lineWidth(head) - (note ? lineWidth([note]) : 0);
	const line = note && free >= 1 ? [...head, {text: stillSafe(' '.repeat(free))}, note] : head;
	return role === 'user' ? tinted(line, 'userText', width) : line;
}

/** Lays out a stream entry in rows of at most `width` columns; the same input gives the same rows. */
export function messageRows(entry: RowsEntry, options: RowOptions): Line[] {
	const width = Math.max(1, options.width);
	if (entry.kind === 'gap') {
		const text = safe`\u00b7 \u00b7 \u00b7 messages not loaded yet`;
		return [fitLine([{text, tone: 'dim'}], width)];
	}
	const {message} = entry;
	const room = width - gutterOf(width);
	const body = bodyRows(message, entry.isRoleLate ? undefined : entry.role, {...options, width: room});
	const indent: Span = {text: stillSafe(' '.repeat(width - room))};
	const rows = room === width ? body : body.map(row => [indent, ...row]);
	return entry.role === 'user' && !entry.isRoleLate ? rows.map(row => tinted(row, 'userText', width)) : rows;
}

function bodyRows(message: Message, role: MessageRole | undefined, options: RowOptions): Line[] {
	const {width} = options;
	const rows: Line[] = [];
	const look = message.isError ? 'error' : lookOf[role ?? 'assistant'];
	if (message.isError) rows.push([{text: cutEnd(safe`! error`, width), tone: 'bad', bold: true}]);
	const messages = options.messages ?? [createToolPairing().add(message).paired];
	let run: ToolCall[] = [];
	let isBelowCard = false;
	const add = (own: readonly Line[], isCard: boolean) => {
		if (options.isTall && isBelowCard) rows.push([]);
		rows.push(...own);
		isBelowCard = isCard && own.length > 1;
	};
	const endRun = () => {
		if (run.length >= minRun) add([toolRun(run, options)], true);
		else for (const tool of run) add(toolCard(tool, options), true);
		run = [];
	};
	for (const [index, part] of messages.flatMap(drawnParts).entries()) {
		const isTool = 'call' in part;
		if (isTool && !options.isExpanded && isSmall(part)) run.push(part);
		else {
			endRun();
			add(isTool ? toolCard(part, options) : partRows(part, index, options, look), isTool);
		}
	}
	endRun();
	const more = (message.content?.length ?? 0) - partsShown;
	if (more > 0) rows.push([{text: cutEnd(safe`+ ${more} parts`, width), tone: 'dim'}]);
	return rows.length > 0 ? rows : [[{text: cutEnd(safe`(no content)`, width), tone: 'dim'}]];
}

/** From this number on, small calls in a row are drawn as one row. */
const minRun = 3;

function isSmall(tool: ToolCall): boolean {
	return tool.result !== undefined && callKind(tool.call.name) !== undefined && !hasFailed(tool);
}

type OtherPart = Exclude<Part, {kind: 'tool-use'}>;

/** The parts of a message in order, without results that are drawn with their calls. */
function drawnParts({message, results, pairedResults, newSteps}: PairedMessage): (OtherPart | ToolCall)[] {
	const parts = messageParts(message);
	const start = parts.length - Math.min(message.content?.length ?? 0, partsShown);
	return parts.flatMap((part, index): (OtherPart | ToolCall)[] => {
		if (pairedResults.has(index - start)) return [];
		if (part.kind !== 'tool-use') return [part];
		const place = index - start;
		return [{...callOf(part, message, results.get(place)), newSteps: newSteps.get(place)}];
	});
}

function callOf(call: ToolCall['call'], message: Message, place: ResultPlace | undefined): ToolCall {
	const item = place?.message.content?.[place.index];
	const result = item && partOf(item);
	if (!place || result?.kind !== 'tool-result') return {call};
	const end = place.message.createdAt;
	// A call starts at the last change of its message, unless that came after the result.
	const {createdAt, updatedAt} = message;
	const start = updatedAt !== undefined && end !== undefined && updatedAt <= end ? updatedAt : createdAt;
	const isTimed = place.message !== message && start !== undefined && end !== undefined && end >= start;
	return {
		call,
		result: place.message.isError ? {...result, isError: true} : result,
		took: isTimed ? end - start : undefined,
	};
}

/** User text and a program's output are shown verbatim; an agent's text is markdown. */
type TextLook = 'markdown' | 'output' | 'verbatim' | 'error';

const lookOf: Readonly<Record<MessageRole, TextLook>> = {
	user: 'verbatim',
	assistant: 'markdown',
	tool: 'output',
};

function partRows(part: OtherPart, index: number, options: RowOptions, look: TextLook): Line[] {
	const {width} = options;
	switch (part.kind) {
		case 'text':
			return textRows(part.text, index, options, part.isOutput && look === 'markdown' ? 'output' : look);
		case 'thinking':
			return collapsedPart(
				{text: part.isSummary ? safe`summary` : safe`thinking`, tone: 'dim', bold: true},
				part.text,
				'dim',
				options,
			);
		case 'tool-result': {
			const head: Span = part.isError
				? {text: safe`error`, tone: 'bad', bold: true}
				: {text: safe`result`, tone: 'tool'};
			return collapsedPart(head, part.text, part.isError ? 'bad' : 'code', options);
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

/** Rows of a text. If they don't all fit, a row counts the lines left out, and the last lines follow it. */
function textRows(raw: string, index: number, {width, isExpanded, memo}: RowOptions, look: TextLook): Line[] {
	const isAnswer = look === 'markdown' || look === 'output';
	const maxRows = isExpanded ? expandedRows : isAnswer ? answerRows : collapsedRows;
	const cap = capFor(width, maxRows);
	const whole = look === 'verbatim' ? withLineFeeds(raw).trimEnd() : lineFed(raw);
	const text = cleanText(whole, {maxLength: cap});
	const isPatch = isAnswer && isDiff(text);
	const isMarkdown = look === 'markdown' && !isPatch;
	const room = maxRows - endRows;
	const layout = (rows: number): TextRows => {
		if (!isMarkdown) return plainRows(text, width, rows, {tone: tones[look]}, isPatch);
		const result = markdownRows(text, width, {maxRows: rows, before: memo?.get(index)});
		if (rows === room && text.length > minMemoLength) memo?.set(index, result);
		return result;
	};
	const rest = (shown: TextRows, rows: number) => restRows(whole, cap, shown, rows, width);
	const first = layout(room);
	const isWhole = rest(first, room).length === 0;
	if (isWhole) return [...first.rows, ...rest(first, room)];
	const left = lineCount(whole) - first.lines;
	const endLines = whole.slice(-capFor(width, endRows)).split('\n').slice(1).slice(-endRows);
	const lastLines = endLines.slice(Math.max(0, endLines.length - left));
	const fence = isMarkdown ? openFence(whole.slice(0, -lastLines.join('\n').length)) : undefined;
	const end = endOf(lastLines, (text, rows, linesAbove) =>
		isMarkdown
			? markdownEnd(text, width, openFence(linesAbove, fence))
			: plainRows(cleanText(text), width, rows, {tone: tones[look]}, isPatch).rows,
	);
	if (left <= endRows || end.rows.length === 0) {
		const all = layout(maxRows);
		const below = rest(all, maxRows);
		if (below.length === 0 || end.rows.length === 0) return [...all.rows, ...below];
	}
	return [...first.rows, ...rest({rows: first.rows, lines: first.lines + end.lines}, room), ...end.rows];
}

/** As many of a text's last lines as have room: a question below what is pasted, the end of an output. */
function endOf(
	lines: readonly string[],
	layout: (end: string, maxRows: number, linesAbove: string) => Line[],
): TextRows {
	for (let count = lines.length; count > 0; count--) {
		const rows = layout(lines.slice(-count).join('\n'), endRows + 1, lines.slice(0, -count).join('\n'));
		if (rows.length <= endRows) return {rows, lines: count};
	}
	return {rows: [], lines: 0};
}

function markdownEnd(end: string, width: number, open: Fence | undefined): Line[] {
	if (!open) return markdownRows(cleanText(end), width, {maxRows: endRows + 1}).rows;
	const {rows} = markdownRows(cleanText(`${open.line}\n${end}`), width, {maxRows: endRows + 2});
	// The row with its label is at the start of the code.
	return fenceLabel(open.line.slice(open.marks.length)) === '' ? rows : rows.slice(1);
}

/** Tones of texts that are not laid out as markdown. */
const tones = {error: 'bad', verbatim: 'text', output: 'code', markdown: 'code'} as const satisfies Record<
	TextLook,
	Tone
>;

/** A part collapsed to its head, its first words, and how many more lines there are. */
function collapsedPart(head: Span, raw: string, tone: Tone, {width, isExpanded}: RowOptions): Line[] {
	const text = lineFed(raw);
	if (isExpanded && text !== '') return [fitLine([head], width), ...indentedText(text, tone, width)];
	const first = firstLine(text);
	const words: Line = first === '' ? [] : [{text: safe` ${first}`, tone: 'dim'}];
	return [collapsedRow([head, ...words], text === '' ? 0 : lineCount(text) - 1, width)];
}

type CachedRows = {
	readonly version: number | string;
	readonly look: RowLook;
	readonly rows: readonly Line[];
	/** Layout results to reuse for the next version of the entry. */
	readonly memo: RowsMemo;
};

/** Enough for many screens of short messages: anything older has scrolled away. */
const maxEntries = 1000;

/**
 * Caches the rows of stream entries by id. Lays them out again only when the version or the look changes. Limited by
 * entries and rows; evicts the least recently used first.
 */
export class RowCache {
	readonly #cached = new Map<string, CachedRows>();
	readonly #maxRows: number;
	#rows = 0;

	constructor(maxRows = 20_000) {
		this.#maxRows = maxRows;
	}

	/** Returns the cached rows, or calls `make` with the memo of an earlier version with the same look. */
	rows(
		entry: {readonly id: string; readonly version: number | string},
		look: RowLook,
		make: (memo: RowsMemo) => readonly Line[],
	): readonly Line[] {
		const cached = this.#cached.get(entry.id);
		if (cached) this.#drop(entry.id, cached);
		const isAlike = cached !== undefined && isSameLook(cached.look, look);
		const memo: RowsMemo = (isAlike && cached.memo) || new Map();
		const current: CachedRows =
			isAlike && cached.version === entry.version
				? cached
				: {version: entry.version, look, rows: make(memo), memo};
		this.#cached.set(entry.id, current);
		this.#rows += current.rows.length;
		this.#shrink();
		return current.rows;
	}

	get size(): number {
		return this.#rows;
	}

	#drop(id: string, {rows}: CachedRows): void {
		this.#cached.delete(id);
		this.#rows -= rows.length;
	}

	/** Always keeps the newest entry, however long it is. */
	#shrink(): void {
		for (const [id, cached] of this.#cached) {
			const isWithin = this.#rows <= this.#maxRows && this.#cached.size <= maxEntries;
			if (isWithin || this.#cached.size === 1) return;
			this.#drop(id, cached);
		}
	}
}

function isSameLook(one: RowLook, other: RowLook): boolean {
	return (
		one.width === other.width &&
		one.isExpanded === other.isExpanded &&
		one.isTall === other.isTall &&
		one.folder === other.folder
	);
}
