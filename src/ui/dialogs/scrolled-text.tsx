import {type Line, span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import type {KeyLayer} from '../input.ts';
import {Pane, type Row} from '../kit/pane.tsx';
import {scrolledTop} from '../kit/scroll.ts';
import {moreBelow} from '../kit/strings.ts';
import type {Rect} from '../layout.ts';
import {useZone, zoneOrder} from '../mouse/zones.ts';
import {type AppParts, useApp} from '../use-app.ts';
import type {DialogOf} from './dialog-module.ts';
import {changeDialog, type ListKeys, listLayer} from './list-layer.ts';
import {strings} from './strings.ts';

/** A dialog that shows text, which scrolls if it is longer than the pane. */
type TextDialog = DialogOf<'answer' | 'details' | 'help' | 'hooks'>;

/** The first visible row of a dialog's text, and the lower border. The wheel scrolls the text. */
export function useScrolledText(
	{kind, top}: TextDialog,
	rect: Rect,
	count: number,
	height: number,
): {readonly top: number; readonly bottom: Line} {
	const {view} = useApp();
	const shownTop = scrolledTop(top, count, height, from => from);
	useZone({
		rect,
		order: zoneOrder.dialog,
		wheel: rows =>
			changeDialog(view, kind, now => ({
				...now,
				top: scrolledTop(now.top, count, height, from => from + rows),
			})),
	});
	return {top: shownTop, bottom: moreBelow(count - shownTop - height)};
}

type Props = {
	readonly dialog: TextDialog;
	readonly rect: Rect;
	readonly title: Safe;
	/** Rows above the text, which don't scroll. */
	readonly head?: readonly Row[];
	readonly lines: readonly Line[];
	/** How many lines are shown. */
	readonly height: number;
};

/** A dialog that is nothing but text. */
export function TextPane({dialog, rect, title, head = [], lines, height}: Props) {
	const {keys} = useApp();
	const {top, bottom} = useScrolledText(dialog, rect, lines.length, height);
	const shown = lines.slice(top, top + height);
	return (
		<Pane
			rect={rect}
			title={[span(title, 'heading')]}
			right={[span(strings.close(keys.label('cancel')), 'dim')]}
			bottom={bottom}
			isFocused
			body={[...head, ...shown.map(line => ({line: [span(safe` `), ...line]}))]}
		/>
	);
}

/** Keys of such a dialog: the list keys scroll the text, which has `count` rows and shows `height` of them. */
export function scrolledTextLayer(
	parts: AppParts,
	{kind, top}: TextDialog,
	height: number,
	count: () => number,
	more: Partial<ListKeys> = {},
): KeyLayer {
	return listLayer(parts, {
		context: kind,
		index: top,
		page: Math.max(1, height),
		count: () => Math.max(0, count() - height) + 1,
		moved: to => changeDialog(parts.view, kind, now => ({...now, top: to})),
		...more,
	});
}
