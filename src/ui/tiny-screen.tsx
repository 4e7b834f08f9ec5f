import {cutEnd} from '../text/cells/cut.ts';
import {span} from '../text/cells/line.ts';
import {safe} from '../text/cells/safe.ts';
import {wrapText} from '../text/cells/wrap.ts';
import type {KeyLayer} from './input.ts';
import {Rows} from './kit/pane.tsx';
import {minimum} from './layout.ts';
import type {ScreenSize} from './layout-now.ts';
import {paint} from './theme/theme.ts';
import {useTheme} from './theme/use-theme.ts';
import {useApp} from './use-app.ts';

/** Shown when the screen is too small for the panes. Everything keeps running behind it. */
export function TinyNote({columns, rows}: ScreenSize) {
	const theme = useTheme();
	const {keys} = useApp();
	const words = [
		safe`quarterdeck needs ${minimum.columns} x ${minimum.rows}`,
		safe`this is ${columns} x ${rows}`,
		safe`${keys.label('interrupt')} twice quits`,
	];
	const wrapped = words.flatMap(text => wrapText(text, columns));
	const lines = wrapped.length <= rows ? wrapped : words.slice(0, rows).map(text => cutEnd(text, columns));
	return (
		<Rows
			rect={{x: 0, y: 0, width: columns, height: rows}}
			rows={lines.map(text => paint([span(text)], theme))}
		/>
	);
}

/** Nothing is done that can't be seen: only Ctrl+C, whose layer is above, has an effect. */
export const tinyLayer: KeyLayer = {
	isModal: true,
	handle: () => 'consumed',
	paste: () => 'consumed',
};
