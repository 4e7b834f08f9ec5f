import {useRef} from 'react';
import {type Line, span} from '../../text/line.ts';
import {safe} from '../../text/safe.ts';
import type {Rect} from '../layout.ts';
import type {Row} from './frame.ts';
import {listTop} from './list-window.ts';
import {Pane} from './pane.tsx';

export type ListPaneProps<Item> = {
	readonly rect: Rect;
	readonly title: Line;
	readonly right?: Line;
	readonly isFocused: boolean;
	readonly items: readonly Item[];
	/** Index of the cursor's row; -1 when it is elsewhere. */
	readonly cursor: number;
	/** The row of an item, `width` columns wide at most. Called for visible items only. */
	readonly renderItem: (item: Item, width: number) => Line;
	/** Shown when there are no items. */
	readonly empty: readonly Line[];
};

/** A list in a pane: windowed, with the cursor's row marked, and what lies above and below counted in the border. */
export function ListPane<Item>(props: ListPaneProps<Item>) {
	const {rect, items, cursor, isFocused, renderItem, empty} = props;
	const height = rect.height - 2;
	const width = rect.width - 4;
	const top = useRef(0);
	top.current = listTop(top.current, cursor < 0 ? top.current : cursor, height, items.length);
	const visible = items.slice(top.current, top.current + height);
	const body: Row[] =
		items.length === 0
			? empty.map(line => ({line: [span(safe` `), ...line]}))
			: visible.map((item, index) => {
					const isCursor = top.current + index === cursor;
					const marker = isCursor ? span(safe`▌`, isFocused ? 'accent' : 'border') : span(safe` `);
					return {line: [marker, ...renderItem(item, width)], isSelected: isCursor && isFocused};
				});
	const below = items.length - top.current - visible.length;
	const bottom = below > 0 ? {bottom: [span(safe`${below} more ↓`, 'dim')]} : {};
	const {title, right} = props;
	return (
		<Pane rect={rect} title={title} {...(right && {right})} {...bottom} isFocused={isFocused} body={body} />
	);
}
