import {useLayoutEffect, useRef} from 'react';
import type {PageCursor} from '../../state/organization/organization-view-state.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {listTop} from '../kit/scroll.ts';
import {moreBelow} from '../kit/strings.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {movePageCursor} from '../organization-scroll.ts';
import {useApp} from '../use-app.ts';
import type {Page} from './page.ts';

type Props = {
	readonly rect: Rect;
	readonly page: Page;
	/** Lines above the page: how far it is read, or why it couldn't be. */
	readonly state: readonly Line[];
	readonly right: Line;
	readonly cursor: PageCursor | undefined;
};

/** Minimum visible list rows; the lines above are cut to fit. */
const minRows = 3;

/** Draws a page: its fixed lines, and a window of its list. */
export function OrganizationPane({rect, page, state, right, cursor}: Props) {
	const parts = useApp();
	const {screen} = parts;
	const {title, heading, count, row, isText = false, empty = []} = page;
	const inner = rect.height - 2;
	const fixed = [...state, ...page.head, ...(heading ? [heading] : [])].slice(
		0,
		Math.max(0, inner - minRows),
	);
	const height = Math.max(1, inner - fixed.length);
	const index = cursorIndex(page, cursor);
	const top = useRef(0);
	const start = isText
		? Math.max(0, Math.min(index, count - height))
		: listTop(top.current, index, height, count);
	top.current = start;
	const shown = Math.max(0, Math.min(height, count - start));
	const shownPage = {
		count: isText ? Math.max(0, count - height) + 1 : count,
		height,
		idOf: page.idOf,
		data: page.data,
		index: isText ? start : index,
	};
	useLayoutEffect(() => {
		screen.page = shownPage;
	});
	useZone({
		rect,
		order: zoneOrder.pane,
		press({x, y}, isDouble) {
			const line = y - 1;
			const listRow = line - fixed.length;
			// `x - 2`: skips the border and the blank column at the left.
			const action = line < fixed.length ? page.headAction?.(line - state.length, x - 2) : undefined;
			if (action) parts.input.perform(parts, action);
			if (isText || listRow < 0 || listRow >= shown) return;
			movePageCursor(parts, start + listRow);
			if (isDouble) parts.input.perform(parts, 'open-row');
		},
		wheel: by => movePageCursor(parts, (screen.page?.index ?? index) + by),
	});
	const rows = Array.from({length: shown}, (_, at): Row => {
		const isCursor = !isText && start + at === index;
		const marker = isCursor ? span(safe`▌`, 'accent') : span(safe` `);
		return {line: [marker, ...row(start + at)], isSelected: isCursor};
	});
	const fixedRows = (lines: readonly Line[]) => lines.map((line): Row => ({line: [span(safe` `), ...line]}));
	return (
		<Pane
			rect={rect}
			title={title}
			right={right}
			bottom={moreBelow(count - start - shown)}
			isFocused
			body={[...fixedRows(fixed), ...(count === 0 ? fixedRows(empty) : rows)]}
		/>
	);
}

/** Current index of the cursor's row: found by id, otherwise where it was last. */
function cursorIndex({count, idOf}: Page, cursor: PageCursor | undefined): number {
	if (!cursor || count === 0) return 0;
	const index = Math.max(0, Math.min(count - 1, cursor.index));
	if (cursor.id === undefined || !idOf || idOf(index) === cursor.id) return index;
	for (let row = 0; row < count; row++) if (idOf(row) === cursor.id) return row;
	return index;
}
