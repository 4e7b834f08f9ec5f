import type {StepProgress} from '../../domain/computers/provisioning.ts';
import {maskText} from '../../domain/masking.ts';
import {cleanLine, cleanText} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, lineWidth, type Span, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {textWidth} from '../../text/cells/width.ts';
import {wrapText} from '../../text/cells/wrap.ts';
import {duration, wholeDuration} from '../../text/values/times.ts';
import {stepLooks} from '../looks/computer-look.ts';
import {strings} from './strings.ts';

/** Maximum rows of an error text. */
const errorRows = 200;
const glyphWidth = 3;
const timeWidth = 8;
/** Usual durations below this, ms, are shown with tenths of a second. */
const short = 10_000;

/** A computer's steps, one per line, with usual durations; a failed step's full error is below it. */
export function stepLines(steps: readonly StepProgress[], width: number): Line[] {
	const names = steps.map(step => cleanLine(nameOf(step), 200));
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

function nameOf({step}: StepProgress): string {
	return maskText(step.name ?? step.id ?? strings.computer.step);
}

function elapsedText({state, elapsed}: StepProgress) {
	if (elapsed === undefined) return safe``;
	return state === 'running' ? wholeDuration(elapsed) : duration(elapsed);
}

function usualWords({state, usual, isLong}: StepProgress): Span | undefined {
	if (usual === undefined || (state !== 'running' && state !== 'pending')) return undefined;
	const time = usual < short ? duration(usual) : wholeDuration(usual);
	const {slow, usually} = strings.computer;
	return isLong ? span(slow(time), 'warn') : span(usually(time), 'dim');
}

/** Puts the note beside the step when it fits; otherwise below a running step, or nowhere. */
function withNote(head: Line, note: Span | undefined, isRunning: boolean, width: number): Line[] {
	if (!note) return [head];
	const whole = [...head, span(safe`   `), note];
	if (lineWidth(whole) <= width) return [whole];
	return isRunning ? [head, [span(safe`   `), note]] : [head];
}

function errorLines({step}: StepProgress, width: number): Line[] {
	if (!step.error) return [];
	const rows = wrapText(cleanText(maskText(step.error)), Math.max(10, width - 6), errorRows);
	return rows.map(row => [span(safe`   │ `, 'bad'), span(row, 'bad')]);
}
