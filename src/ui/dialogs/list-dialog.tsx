import {useEffect, useMemo, useRef} from 'react';
import {useStore} from 'zustand';
import type {Lists} from '../../state/lists/lists.ts';
import {restoreSelection} from '../../state/rows/table-rows.ts';
import type {Dialog} from '../../state/view/dialogs.ts';
import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {ActionName} from '../keys/binding.ts';
import {ChoicePane} from '../kit/choice-pane.tsx';
import {dialogRect} from '../kit/dialog-rect.ts';
import {queryLine} from '../kit/text-field.tsx';
import {useNow} from '../kit/use-now.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout, Rect} from '../layout.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {changeDialog, listLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

type Kinds = Dialog['kind'];

type Drawn<Kind extends Kinds, Row> = Pick<DialogProps<Kind>, 'dialog' | 'lists'> & {
	readonly parts: AppParts;
	readonly rows: readonly Row[];
	readonly now: number;
};

type ListDialog<Kind extends Kinds, Row> = {
	readonly kind: Kind;
	/** The action of a double press, or of any press in a menu. */
	readonly choose: ActionName;
	readonly isMenu?: true;
	/** Marks the cursor's row, as menus do. */
	readonly hasMark?: true;
	/** Typing filters the rows; this is shown before anything is typed. */
	readonly queryHint?: Safe;
	readonly rows: (dialog: DialogOf<Kind>, lists: Lists, parts: AppParts) => readonly Row[];
	/** Draws rows, at most `width` columns wide; called again when the rows or the width change. */
	readonly lines: (
		rows: readonly Row[],
		width: number,
		parts: AppParts,
	) => (row: Row, at: number, now: number) => Line;
	readonly title: (drawn: Drawn<Kind, Row>) => Line;
	/** At the right end of the upper border; by default, how to close the list. */
	readonly right?: (drawn: Drawn<Kind, Row>) => Line;
	/** The lower border; by default, how many rows are below. */
	readonly bottom?: (drawn: Drawn<Kind, Row>) => Line;
	/** Columns of the list, where the screen has them. */
	readonly width?: number;
	/** Where `rows` rows are shown, if not in the middle. */
	readonly rect?: (layout: Layout, rows: number) => Rect;
	readonly empty?: (drawn: Drawn<Kind, Row>) => readonly Line[];
	/** Below the list, about the row at the cursor, if there is one. */
	readonly foot?: (row: Row | undefined, width: number, parts: AppParts) => readonly Line[];
	/** When the list next changes by itself (Unix ms). */
	readonly changesAt?: (rows: readonly Row[], now: number) => number | undefined;
	/** How the cursor stays on a row while others come and go. Without it, the state has the row's index. */
	readonly cursor?: Cursor<Kind, Row>;
	readonly moved?: (parts: AppParts, row: Row) => void;
	/** What the digits 1 to 9 do with the first nine rows. */
	readonly digit?: (parts: AppParts, row: Row, dialog: DialogOf<Kind>) => void;
};

type Cursor<Kind extends Kinds, Row> = {
	/** Index of the cursor's row, or -1. */
	readonly indexOf: (dialog: DialogOf<Kind>, rows: readonly Row[]) => number;
	/** The dialog with the cursor on this row, if on any. */
	readonly on: (dialog: DialogOf<Kind>, row: Row | undefined) => DialogOf<Kind>;
};

/** Columns of a list, where the screen has them. */
const defaultWidth = 72;
const minHeight = 3;

export type ListModule<Kind extends Kinds, Row> = DialogModule<Kind> & {
	/** Does something with the row at the cursor. */
	readonly onRow: (
		use: (parts: AppParts, row: Row, dialog: DialogOf<Kind>) => void,
	) => (parts: AppParts, lists: Lists) => void;
};

export function listDialog<Kind extends Kinds, Row>(list: ListDialog<Kind, Row>): ListModule<Kind, Row> {
	const {kind, cursor, digit, isMenu = false, queryHint} = list;
	const hasMark = list.hasMark || isMenu;
	const indexIn = (dialog: DialogOf<Kind>, rows: () => readonly Row[]): number =>
		cursor ? cursor.indexOf(dialog, rows()) : (dialog as DialogOf<'blocks'>).index;
	const queryIn = (dialog: DialogOf<Kind>) =>
		queryHint === undefined ? undefined : (dialog as DialogOf<'palette'>).query;

	function Component({dialog, layout, lists}: DialogProps<Kind>) {
		const parts = useApp();
		const composers = useStore(parts.composers);
		// biome-ignore lint/correctness/useExhaustiveDependencies: attachments are in the composers.
		const rows = useMemo(() => list.rows(dialog, lists, parts), [dialog, lists, parts, composers]);
		useCursor(kind, cursor, dialog, rows);
		const now = useNow(at => list.changesAt?.(rows, at));
		const drawn = {dialog, lists, parts, rows, now};
		const index = Math.max(
			0,
			indexIn(dialog, () => rows),
		);
		const columns = Math.min(list.width ?? defaultWidth, layout.columns - 4);
		const {width} = list.rect?.(layout, 0) ?? dialogRect(layout, columns, 0);
		const foot = list.foot?.(rows[index], width - 6, parts) ?? [];
		const height = Math.min(Math.max(rows.length, minHeight) + foot.length, layout.rows - 6);
		const rect = list.rect?.(layout, rows.length) ?? dialogRect(layout, columns, height);
		const room = width - (hasMark ? 6 : 3);
		const line = useMemo(() => list.lines(rows, room, parts), [rows, room, parts]);
		const query = queryHint && queryLine(safe` > `, queryIn(dialog) ?? '', queryHint, rect.width - 2);
		useScreenCursor(query && {x: rect.x + 1 + query.cursor, y: rect.y + 1});
		const close = [span(strings.close(parts.keys.label('cancel')), 'dim')];
		return (
			<ChoicePane
				rect={rect}
				title={list.title(drawn)}
				right={list.right ? list.right(drawn) : close}
				bottom={list.bottom?.(drawn)}
				head={query ? [{line: query.line}, {line: []}] : []}
				count={rows.length}
				index={index}
				renderRow={at => {
					const row = rows[at];
					if (row === undefined) return [];
					const mark = at === index ? span(safe` ▌ `, 'accent') : span(safe`   `);
					return [...(hasMark ? [mark] : []), ...line(row, at, now)];
				}}
				empty={(list.empty?.(drawn) ?? []).map(row => ({line: row}))}
				foot={foot.map(row => ({line: [span(safe`   `), ...row]}))}
				context={kind}
				choose={list.choose}
				isMenu={isMenu}
			/>
		);
	}

	return {
		Component,
		layer(parts, dialog) {
			const rows = () => list.rows(dialog, listsNow(parts), parts);
			const at = (index: number, use: (row: Row) => void) => {
				const row = rows()[index];
				if (row !== undefined) use(row);
			};
			const query = queryIn(dialog);
			return listLayer(parts, {
				context: kind,
				query,
				index: Math.max(0, indexIn(dialog, rows)),
				count: () => rows().length,
				typed: query => changeDialog(parts.view, kind, now => ({...now, query, index: 0})),
				moved: index =>
					at(index, row => {
						list.moved?.(parts, row);
						changeDialog(parts.view, kind, now => (cursor ? cursor.on(now, row) : {...now, index}));
					}),
				pick: digit && (index => at(index, row => digit(parts, row, dialog))),
			});
		},
		onRow: use => (parts, lists) => {
			const dialog = topDialog(parts.view.getState(), kind);
			if (!dialog) return;
			const rows = list.rows(dialog, lists, parts);
			const row = rows[indexIn(dialog, () => rows)];
			if (row !== undefined) use(parts, row, dialog);
		},
	};
}

/** Keeps the cursor on its row; when that leaves the list, moves it to the nearest remaining one. */
function useCursor<Kind extends Kinds, Row>(
	kind: Kind,
	cursor: Cursor<Kind, Row> | undefined,
	dialog: DialogOf<Kind>,
	rows: readonly Row[],
): void {
	const {view} = useApp();
	const lastRows = useRef(rows);
	useEffect(() => {
		const old = lastRows.current;
		lastRows.current = rows;
		if (!cursor || cursor.indexOf(dialog, rows) >= 0 || (old.length === 0 && rows.length === 0)) return;
		const {indexOf, on} = cursor;
		const next =
			restoreSelection(old, indexOf(dialog, old), row => indexOf(on(dialog, row), rows) >= 0) ?? rows[0];
		changeDialog(view, kind, now => on(now, next));
	}, [kind, cursor, dialog, rows, view]);
}
