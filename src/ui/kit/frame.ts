import {cleanLine} from '../../text/cells/clean.ts';
import {fitLine, type Line, lineWidth, padLine, span, type Tone} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {paint, type Theme} from '../theme/theme.ts';

/** One row inside a pane; the selected one is highlighted over its full width. */
export type Row = {readonly line: Line; readonly isSelected?: boolean};

export type Frame = {
	readonly width: number;
	readonly height: number;
	readonly title: Line;
	/** At the right end of the upper and the lower border. Left out when there is no room. */
	readonly right?: Line;
	readonly bottom?: Line;
	readonly isFocused?: boolean;
	/** Rows from the top; missing rows are blank, excess rows are dropped. */
	readonly body: readonly Row[];
};

/** A bordered pane as painted rows, exactly `width` x `height`. */
export function frameRows(frame: Frame, theme: Theme): string[] {
	if (theme.isScreenReader) return spokenRows(frame, theme);
	const {width, height, body, isFocused = false} = frame;
	const inner = Math.max(0, width - 2);
	const tone = isFocused ? 'accent' : 'border';
	const pen = isFocused && theme.hasHeavyFocus ? heavy : fine;
	const side = paint([span(pen.side, tone)], theme);
	const rows = [paint(edge(frame.title, frame.right ?? [], width, pen.top, pen, tone), theme)];
	for (let index = 0; index < height - 2; index++) {
		const row = body[index] ?? {line: []};
		rows.push(side + paint(padLine(row.line, inner), theme, row.isSelected) + side);
	}
	rows.push(paint(edge([], frame.bottom ?? [], width, pen.bottom, pen, tone), theme));
	return rows;
}

/** The same rows at the same places without a frame; border texts become lines of their own. */
function spokenRows({title, right = [], bottom = [], width, height, body}: Frame, theme: Theme): string[] {
	const room = Math.max(0, width - 1);
	const row = (line: Line, isSelected?: boolean) => ` ${paint(fitLine(line, room), theme, isSelected)}`;
	const head = right.length > 0 ? [...title, span(safe`, `), ...right] : title;
	const rows = Array.from({length: Math.max(0, height - 2)}, (_, index) =>
		row(body[index]?.line ?? [], body[index]?.isSelected),
	);
	return [row(head), ...rows, row(bottom)];
}

type Corners = readonly [Safe, Safe];
type Pen = {readonly side: Safe; readonly line: string; readonly top: Corners; readonly bottom: Corners};

const fine: Pen = {side: safe`│`, line: '─', top: [safe`╭─`, safe`─╮`], bottom: [safe`╰─`, safe`─╯`]};
/** The focused pane's border, where color alone wouldn't show the focus. */
const heavy: Pen = {side: safe`┃`, line: '━', top: [safe`┏━`, safe`━┓`], bottom: [safe`┗━`, safe`━┛`]};

/** Text on the right with less room than this is left out. */
const tailMin = 12;

/**
 * A border with text in it: `╭─ title ───── right ─╮`. The text on the right is dropped when there is no
 * room.
 */
function edge(left: Line, right: Line, width: number, corners: Corners, pen: Pen, tone: Tone): Line {
	const room = Math.max(0, width - 4);
	const head = fitLine(spaced(left), room);
	const free = room - lineWidth(head) - 1;
	const whole = spaced(right);
	const tail = lineWidth(whole) <= free ? whole : free >= tailMin ? spaced(fitLine(right, free - 2)) : [];
	const gap = room - lineWidth(head) - lineWidth(tail);
	return [
		span(corners[0], tone),
		...head,
		span(cleanLine(pen.line.repeat(gap)), tone),
		...tail,
		span(corners[1], tone),
	];
}

/** Columns available for text at the right end of the upper border, beside a title. */
export function tailRoom(width: number, title: Line): number {
	return width - 4 - lineWidth(spaced(title)) - 1 - 2;
}

/** The column of a frame where a line at the right end of its lower border begins. */
export function tailStart(
	width: number,
	line: Line,
	{isScreenReader}: Pick<Theme, 'isScreenReader'>,
): number {
	if (isScreenReader) return 1;
	const maxWidth = width - 5;
	return width - 2 - Math.min(lineWidth(line) + 2, maxWidth) + 1;
}

function spaced(line: Line): Line {
	return line.length === 0 ? [] : [span(safe` `), ...line, span(safe` `)];
}
