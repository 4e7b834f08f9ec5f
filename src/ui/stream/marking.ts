import {copyText} from '../../actions/copy-text.ts';
import type {Mark} from '../../state/view/find.ts';
import {setView, type ViewStore, withScrollState} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import type {Line, Piece} from '../../text/cells/line.ts';
import {gutterOf} from '../../text/messages/message-rows.ts';
import type {AppParts} from '../use-app.ts';
import {currentStream} from './stream-now.ts';
import {strings} from './strings.ts';
import {
	anchorAt,
	isBefore,
	type Position,
	positionOf,
	type StreamExtent,
	walk,
	windowOf,
	withInSight,
} from './viewport.ts';

/** Starts marking at the first visible row of the selected message. */
export function beginMark(parts: AppParts): void {
	const stream = currentStream(parts);
	if (!stream) return;
	const scroll = parts.view.getState().scrollStates.get(stream.sessionId) ?? following;
	const {slices, selected} = windowOf(stream, scroll);
	const from = slices.find(({index}) => index === selected)?.from ?? 0;
	markTo(parts.view, stream, {index: selected, line: Math.max(from, stream.leadAt(selected))});
}

/** Moves the mark's end by rows, or to the first or last loaded row. */
export function moveMark(parts: AppParts, by: number | 'start' | 'end'): void {
	const stream = currentStream(parts);
	const {mark} = parts.view.getState();
	if (!stream || mark?.sessionId !== stream.sessionId) return;
	const last = stream.ids.length - 1;
	const at = positionOf(stream, mark.to);
	if (by === 'start') markTo(parts.view, stream, {index: 0, line: stream.leadAt(0)});
	else if (by === 'end') markTo(parts.view, stream, {index: last, line: stream.rowsAt(last) - 1});
	else if (at) markTo(parts.view, stream, inside(stream, walk(stream, at, by)));
}

/** Walking down ends past the last row, so clamp to a real row. */
function inside(stream: StreamExtent, {index, line}: Position): Position {
	return {index, line: Math.max(0, Math.min(line, stream.rowsAt(index) - 1))};
}

/** Moves the mark's end to a row; starts a mark there if there is none. */
export function markTo(view: ViewStore, stream: StreamExtent, position: Position): void {
	const {sessionId} = stream;
	const to = anchorAt(stream, position);
	setView(view, now => {
		const scroll = withInSight(stream, now.scrollStates.get(sessionId) ?? following, position);
		const from = now.mark?.sessionId === sessionId ? now.mark.from : to;
		return {...withScrollState(now, sessionId, scroll), mark: {sessionId, from, to}};
	});
}

export function endMark(view: ViewStore): void {
	setView(view, ({mark: _, ...now}) => now);
}

export function copyMarked(parts: AppParts): void {
	const stream = currentStream(parts);
	const {mark} = parts.view.getState();
	if (!stream || !mark) return;
	const {text, rows} = markedText(stream, mark);
	endMark(parts.view);
	void copyText(parts.actions, text, strings.copied.rows(rows));
}

/** Maximum number of rows copied at once. */
const maxRows = 5000;

/** Both ends of a mark, the earlier one first; undefined when one is no longer loaded. */
function endsOf(extent: StreamExtent, {from, to}: Mark): readonly [Position, Position] | undefined {
	const a = positionOf(extent, from);
	const b = positionOf(extent, to);
	if (!a || !b) return undefined;
	return isBefore(b, a) ? [b, a] : [a, b];
}

export function isMarked(extent: StreamExtent, mark: Mark): (row: Position) => boolean {
	const ends = endsOf(extent, mark);
	return row => ends !== undefined && !isBefore(row, ends[0]) && !isBefore(ends[1], row);
}

/** The text of the marked rows, without author and time; wrapped rows are joined again. */
function markedText(extent: StreamExtent, mark: Mark): {text: string; rows: number} {
	const ends = endsOf(extent, mark);
	if (!ends) return {text: '', rows: 0};
	const [first, last] = ends;
	const rows: Line[] = [];
	for (let index = first.index; index <= last.index && rows.length < maxRows; index++) {
		const lead = extent.leadAt(index);
		const lines = extent.linesAt(index);
		const from = Math.max(lead, index === first.index ? first.line : 0);
		const to = index === last.index ? last.line + 1 : lines.length;
		rows.push(...lines.slice(from, to));
	}
	return {text: joinRows(rows, gutterOf(extent.width)), rows: rows.length};
}

/** The text of rows as before wrapping, without the first `gutter` characters; tables stay as drawn. */
export function joinRows(rows: readonly Line[], gutter: number): string {
	let joined = '';
	let above: Piece | undefined;
	for (const [index, row] of rows.entries()) {
		const line = row.filter(part => !part.isDecoration);
		const piece = onlyPiece(line);
		if (piece?.above && piece.above === above)
			joined += piece.joint + copiedText(line.filter(part => part.piece)).trimEnd();
		else joined += (index === 0 ? '' : '\n') + copiedText(line).slice(gutter).trimEnd();
		above = piece;
	}
	return joined;
}

function copiedText(line: Line): string {
	return line.map(({text, copied}) => copied ?? text).join('');
}

/** The piece that fills the row to its end, if it is the only one. */
function onlyPiece(line: Line): Piece | undefined {
	const first = line.findIndex(part => part.piece);
	const piece = line[first]?.piece;
	return line.slice(first).every(part => part.piece === piece) ? piece : undefined;
}
