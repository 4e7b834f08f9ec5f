import type {ProvisioningStep} from '../../domain/computers/computer.ts';
import type {StepProgress} from '../../domain/computers/provisioning.ts';
import {maskText} from '../../domain/masking.ts';
import {stepLooks} from '../../state/computers/computer-look.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {textWidth} from '../../text/cells/graphemes.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {terminalText} from '../../text/cells/terminal-lines.ts';
import {plainRows} from '../../text/markdown/plain-rows.ts';
import {moreLines} from '../../text/messages/collapsed-rows.ts';
import {duration, wholeDuration} from '../../text/values/times.ts';

/** Rows of an error's beginning, its last lines if there are more, and how much of one of these (UTF-16 units). */
const maxFirstRows = 100;
const maxLastLines = 100;
const maxLineLength = 2000;
const glyphWidth = 3;
const timeWidth = 8;
/** Usual durations below this, ms, are shown with tenths of a second. */
const short = 10_000;

/** A computer's steps, one per line, with usual durations; a failed step's error is below it. */
export function stepLines(steps: readonly StepProgress[], width: number): Line[] {
	const names = steps.map(step => cleanLine(maskText(step.step.name ?? step.step.id ?? 'step'), 200));
	const words = steps.map(({state, raw}) => (raw === undefined ? stepLooks[state].word : cleanLine(raw, 16)));
	const wordWidth = Math.max(0, ...words.map(textWidth));
	const nameRoom = Math.max(8, width - glyphWidth - wordWidth - timeWidth - 2);
	const nameWidth = Math.min(Math.max(8, ...names.map(textWidth)), nameRoom);
	return steps.flatMap((step, index) => {
		const look = stepLooks[step.state];
		const isIdle = step.state === 'pending' || step.state === 'skipped';
		const nameTone = isIdle ? 'dim' : step.state === 'running' ? 'strong' : undefined;
		const head: Line = [
			span(safe` ${look.glyph} `, look.tone),
			span(pad(names[index] ?? safe``, nameWidth), nameTone),
			span(safe`  ${pad(words[index] ?? safe``, wordWidth)}`, look.tone === 'good' ? 'dim' : look.tone),
			span(pad(elapsedText(step), timeWidth, 'end'), 'dim'),
		];
		return [...withNote(head, usualWords(step), step.state === 'running', width), ...errorLines(step, width)];
	});
}

function elapsedText({state, elapsed}: StepProgress) {
	if (elapsed === undefined) return safe``;
	return state === 'running' ? wholeDuration(elapsed) : duration(elapsed);
}

function usualWords({state, usual, isLong}: StepProgress): Span | undefined {
	if (usual === undefined || (state !== 'running' && state !== 'pending')) return undefined;
	const time = usual < short ? duration(usual) : wholeDuration(usual);
	return isLong ? span(safe`slower than usual: ${time}`, 'warn') : span(safe`usually ${time}`, 'dim');
}

/** Puts the note beside the step when it fits; otherwise below a running step, or nowhere. */
function withNote(head: Line, note: Span | undefined, isRunning: boolean, width: number): Line[] {
	if (!note) return [head];
	const whole = [...head, span(safe`   `), note];
	if (lineWidth(whole) <= width) return [whole];
	return isRunning ? [head, [span(safe`   `), note]] : [head];
}

/** A step's error in the colors of its tool. */
function errorLines({step}: StepProgress, width: number): Line[] {
	if (!step.error) return [];
	return errorRows(step, Math.max(10, width - 6)).map(row => [span(safe`   │ `, 'bad'), ...row]);
}

const known = new WeakMap<ProvisioningStep, {readonly width: number; readonly rows: readonly Line[]}>();

function errorRows(step: ProvisioningStep, width: number): readonly Line[] {
	const cached = known.get(step);
	if (cached?.width === width) return cached.rows;
	const text = maskText(terminalText(step.error ?? '')).trimEnd();
	const lines = text.split('\n');
	const first = plainRows(cleanText(text), width, maxFirstRows, {tone: 'bad'});
	const rest = lines.slice(first.lines);
	const last = rest.slice(-maxLastLines).map(line => {
		const end = line.slice(-maxLineLength);
		return cleanLine(end === line ? line : `…${end}`, maxLineLength + 1);
	});
	const hidden = rest.length - last.length;
	const rows = [
		...first.rows,
		...(hidden > 0 ? [[span(moreLines(hidden), 'dim')]] : []),
		...last.flatMap(line => plainRows(line, width, maxFirstRows, {tone: 'bad'}).rows),
	];
	known.set(step, {width, rows});
	return rows;
}
