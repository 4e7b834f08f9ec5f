import {cleanLine, cleanText} from '../cells/clean.ts';
import {fitLine, type Line, lineText, type Span, type Tone} from '../cells/line.ts';
import {safe, stillSafe} from '../cells/safe.ts';
import {codeLines} from '../markdown/code-lines.ts';
import {wrapSpans} from '../markdown/inline.ts';
import {markdownRows} from '../markdown/markdown.ts';
import {changedPath, changeRows} from './change-rows.ts';
import {
	capFor,
	expandedRows,
	indented,
	indentedText,
	lineFed,
	markedRows,
	restRows,
} from './collapsed-rows.ts';
import {changeFields, type FileChange, numberedLine} from './file-change.ts';
import {languageOf} from './patch-lines.ts';
import {planRows} from './plan-steps.ts';
import {callKind} from './tool-kinds.ts';
import {failingLines, hasFailed, type ToolCall} from './tool-output.ts';
import {toolSummary} from './tool-summary.ts';

/** Maximum failing lines above a long failed output. */
const maxFailingLines = 5;

/** The content below the head of an expanded card: the change or the input, and the whole result. */
export function expandedTool(
	tool: ToolCall,
	head: Line,
	change: FileChange | undefined,
	width: number,
): Line[] {
	const {call, result} = tool;
	const {body, more, steps} = toolSummary(call.input, {without: change && changeFields});
	const text = lineFed(result?.text ?? '');
	const isFailed = hasFailed(tool);
	const failures = isFailed ? failureRows(text, width) : [];
	const isWhole = lineText(head).includes(cleanLine(body.trim(), Math.max(1, body.length)));
	// A patch is drawn as the change.
	const isDrawn = isWhole || (change !== undefined && body.includes('\n'));
	const isQuiet = !isFailed && (steps !== undefined || (change !== undefined && isSame(change, text.trim())));
	const rowsOf = (raw: string, tone: Tone) =>
		isProse(call.name) && tone !== 'bad' ? proseRows(raw, width) : indentedText(raw, tone, width);
	const resultRows = () => {
		if (isFailed) return rowsOf(text, failures.length === 0 ? 'bad' : 'code');
		if (callKind(call.name) === 'read' && body !== '') return fileRows(text, body, width);
		return rowsOf(text, change ? 'dim' : 'code');
	};
	return [
		...(isDrawn ? [] : rowsOf(body, 'text')),
		...indentedText(more, 'dim', width),
		...(change ? changeRows(change.lines, changedPath(call.input), width) : []),
		...(steps ? indented(planRows(steps, Math.max(1, width - 2)), width) : []),
		...failures,
		...(isQuiet ? [] : resultRows()),
	];
}

/** Whether a result is the change itself, which isn't shown twice. */
function isSame({lines}: FileChange, text: string): boolean {
	return (
		lines.length > 1 &&
		lines
			.map(line => line.text)
			.join('\n')
			.trim() === text
	);
}

/** Whether a tool takes or returns text written by an agent. */
export function isProse(name: string): boolean {
	return /^(?:task|agent|exit_?(?:plan|spec)_?mode)$/i.test(name);
}

function proseRows(raw: string, width: number): Line[] {
	const text = lineFed(raw);
	if (text === '') return [];
	const cap = capFor(width, expandedRows);
	const shown = markdownRows(cleanText(text, {maxLength: cap}), Math.max(1, width - 2), {
		maxRows: expandedRows,
	});
	return indented([...shown.rows, ...restRows(text, cap, shown, expandedRows, width)], width);
}

/** The lines of a file, colored by its language. Their numbers are not searched. */
function fileRows(raw: string, path: string, width: number): Line[] {
	const text = raw.trimEnd();
	const cap = capFor(width, expandedRows);
	const lines = text
		.slice(0, cap)
		.split('\n')
		.map(line => numberedLine.exec(line) ?? [line, '', line]);
	const columns = lines.reduce((max, [, number = '']) => Math.max(max, number.length), 0);
	const gutter = columns > 0 ? columns + 1 : 0;
	const code = cleanText(lines.map(([, , rest]) => rest).join('\n'));
	const rows: Line[] = [];
	let shown = 0;
	for (const spans of codeLines(code, languageOf(path))) {
		const left = expandedRows - rows.length;
		const [, number = ''] = lines[shown] ?? [];
		const wrapped = wrapSpans(spans, Math.max(1, width - 2 - gutter), left + 1);
		for (const [index, row] of wrapped.slice(0, left).entries()) {
			const label = stillSafe((index === 0 ? number : '').padStart(columns).padEnd(gutter));
			rows.push(columns === 0 ? row : [{text: label, tone: 'dim', isDecoration: true}, ...row]);
		}
		if (wrapped.length > left) break;
		shown++;
	}
	return [...markedRows(rows, width), ...restRows(text, cap, {rows, lines: shown}, expandedRows, width)];
}

/** The failing lines, above a long output. The output has them, too: here they are not searched. */
function failureRows(text: string, width: number): Line[] {
	const lines = failingLines(text, maxFailingLines);
	if (lines.length === 0) return [];
	const rows = [
		...lines.map((line): Span => ({text: line, tone: 'bad'})),
		{text: safe`· · ·`, tone: 'dim'} as const,
	];
	return rows.map(span =>
		fitLine([{text: safe`  `}, span], width).map(part => ({...part, isDecoration: true as const})),
	);
}
