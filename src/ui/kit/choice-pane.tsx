import {useRef} from 'react';
import type {Line} from '../../text/cells/line.ts';
import type {ActionName} from '../keys/binding.ts';
import type {KeyContext} from '../keys/key-contexts.ts';
import type {Rect} from '../layout.ts';
import {useRowsZone} from '../mouse/use-rows-zone.ts';
import {pressAction, zoneOrder} from '../mouse/zones.ts';
import {useApp} from '../use-app.ts';
import {Pane, type Row} from './pane.tsx';
import {listTop} from './scroll.ts';
import {moreBelow} from './strings.ts';

type Props = {
	readonly rect: Rect;
	readonly title: Line;
	readonly right?: Line;
	/** Text in the lower border; by default the number of rows below the visible ones. */
	readonly bottom?: Line;
	readonly head?: readonly Row[];
	readonly count: number;
	readonly index: number;
	/** Draws a row; called for visible rows only. */
	readonly renderRow: (index: number) => Line;
	readonly empty?: readonly Row[];
	readonly foot?: readonly Row[];
	/** The key context, and its action that chooses. */
	readonly context: KeyContext;
	readonly choose: ActionName;
	/** One press chooses. */
	readonly isMenu?: boolean;
};

/** A list to choose from, for keys and the pointer: a window of its rows around the selected one. */
export function ChoicePane(props: Props) {
	const {rect, title, right = [], head = [], count, index, renderRow, empty = [], foot = []} = props;
	const {context, choose, isMenu = false} = props;
	const height = Math.max(1, rect.height - 2 - head.length - foot.length);
	const lastTop = useRef(0);
	const top = listTop(lastTop.current, index, height, count);
	lastTop.current = top;
	const shown = Math.max(0, Math.min(height, count - top));
	useChoiceZone({context, rect, above: 1 + head.length, top, shown, index, choose, isMenu});
	const rows = Array.from(
		{length: shown},
		(_, row): Row => ({line: renderRow(top + row), isSelected: top + row === index}),
	);
	const list = count === 0 ? empty : rows;
	const blank = Array.from({length: Math.max(0, height - list.length)}, (): Row => ({line: []}));
	return (
		<Pane
			rect={rect}
			title={title}
			right={right}
			bottom={props.bottom ?? moreBelow(count - top - shown)}
			isFocused
			body={[...head, ...list, ...blank, ...foot]}
		/>
	);
}

/** A list that the keys of lists move, and an action chooses from. */
type ChoiceZone = {
	readonly context: KeyContext;
	readonly rect: Rect;
	/** Rows above the first list row, including the border. */
	readonly above: number;
	readonly top: number;
	readonly shown: number;
	readonly index: number;
	/** The action of a double press. */
	readonly choose: ActionName;
	/** One press chooses. */
	readonly isMenu: boolean;
};

/** Makes the pointer act like the keys in such a list: a press moves the cursor, a second one chooses. */
function useChoiceZone({context, index, choose, isMenu, ...list}: ChoiceZone): void {
	const parts = useApp();
	const move = (by: number) => {
		for (let step = 0; step < Math.abs(by); step++)
			pressAction(parts, context, by > 0 ? 'list-down' : 'list-up');
	};
	useRowsZone({
		...list,
		order: zoneOrder.dialog,
		pick(at, isDouble) {
			if (at === undefined) return;
			move(at - index);
			if (isDouble || isMenu) pressAction(parts, context, choose);
		},
		wheel: rows => move(Math.sign(rows)),
	});
}
