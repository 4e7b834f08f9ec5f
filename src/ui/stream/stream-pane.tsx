import {useEffect, useMemo} from 'react';
import {useStore} from 'zustand';
import {following} from '../../state/reading.ts';
import type {SessionItem} from '../../state/session-items.ts';
import type {Stream} from '../../state/stream.ts';
import type {View} from '../../state/view.ts';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import type {Row} from '../kit/frame.ts';
import {Pane} from '../kit/pane.tsx';
import type {Rect} from '../layout.ts';
import {ageChangesAt} from '../ticker.ts';
import {useApp} from '../use-app.ts';
import {useNow} from '../use-now.ts';
import {itemRows, writerOf} from './item-rows.ts';
import type {StreamExtent} from './stream-extent.ts';
import {type StreamItem, streamItems} from './stream-items.ts';
import {phaseRows, phaseWord} from './stream-phase.ts';
import {streamTitle} from './stream-title.ts';
import {windowOf} from './viewport.ts';

const nothing: readonly never[] = [];
/** Border, marker, and a free column at the right. */
const chrome = 4;

type Props = {readonly item: SessionItem; readonly view: View; readonly rect: Rect};

/** The messages of the open session. Only what is visible is laid out. */
export function StreamPane({item, view, rect}: Props) {
	const {stores, actions, rows: cache, sizes} = useApp();
	const stream = useStore(stores.streams, ({open}) => open.get(item.id));
	const outbox = useStore(stores.outbox, ({bySession}) => bySession.get(item.id) ?? nothing);
	const computer = useStore(stores.fleet, ({computers}) => computers.get(item.computerId ?? '')?.computer);
	const now = useNow(at => (item.since === undefined ? undefined : ageChangesAt(item.since, at)));
	const items = useMemo(() => streamItems(stream?.entries ?? nothing, outbox), [stream?.entries, outbox]);
	const {width} = rect;
	const {expanded} = view;
	const extent = useMemo((): StreamExtent => {
		const height = rect.height - 2;
		const rowsAt = (index: number) =>
			linesOf(items, index, at => itemRows(cache, at, width - chrome, expanded.has(at.id))).length;
		const pending = items.length - (stream?.entries.length ?? 0);
		return {sessionId: item.id, items, ids: items.map(({id}) => id), rowsAt, height, pending};
	}, [item.id, items, stream?.entries, cache, width, expanded, rect.height]);
	sizes.stream = extent;

	const reading = view.readings.get(item.id) ?? following;
	const window = windowOf(extent, reading);
	const gaps = window.slices.flatMap(({index}) =>
		items[index]?.entry.kind === 'gap' ? [items[index].id] : [],
	);
	const gap = gaps[0];
	useEffect(() => {
		if (gap !== undefined) void actions.engine.fillGap(item.id, gap);
	}, [actions.engine, item.id, gap]);

	const isFocused = view.focus === 'main';
	const body: Row[] = window.slices.flatMap(({index, from, to}) => {
		const lines = linesOf(items, index, at => itemRows(cache, at, width - chrome, expanded.has(at.id)));
		const isSelected = isFocused && index === window.selected;
		const marker = isSelected ? span(safe`▌`, 'accent') : span(safe` `);
		return lines.slice(from, to).map(line => ({line: [line.length > 0 ? marker : span(safe` `), ...line]}));
	});
	return (
		<Pane
			rect={rect}
			title={streamTitle(item, computer, now, isFocused)}
			{...titleEnd(stream, item)}
			{...bottomEnd(window.unseen, window.isAtEnd)}
			isFocused={isFocused}
			body={body.length > 0 ? body : phaseRows(stream, item, width - chrome)}
		/>
	);
}

function titleEnd(stream: Stream | undefined, item: SessionItem): {right?: Line} {
	const right = phaseWord(stream, item);
	return right.length > 0 ? {right} : {};
}

function bottomEnd(unseen: number, isAtEnd: boolean): {bottom?: Line} {
	if (isAtEnd) return {};
	const words =
		unseen > 0 ? span(safe`↓ ${unseen} new · End`, 'accent', {bold: true}) : span(safe`↓ End`, 'dim');
	return {bottom: [words]};
}

/** The rows of an item, with an empty one before it when somebody else wrote the item before. */
function linesOf(
	items: readonly StreamItem[],
	index: number,
	rowsOf: (item: StreamItem) => readonly Line[],
): readonly Line[] {
	const item = items[index];
	if (!item) return [];
	const before = items[index - 1];
	const rows = rowsOf(item);
	return before && writerOf(before) !== writerOf(item) ? [[], ...rows] : rows;
}
