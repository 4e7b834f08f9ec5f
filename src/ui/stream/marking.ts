import {copyText} from '../../actions/copy-text.ts';
import {setView, type ViewStore, withScrollState} from '../../state/view/view.ts';
import {following} from '../../state/view/view-states.ts';
import type {AppParts} from '../use-app.ts';
import {markedText} from './marked-rows.ts';
import {currentStream} from './stream-now.ts';
import {strings} from './strings.ts';
import {
	anchorAt,
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
