import {useStore} from 'zustand';
import {takesText, type View} from '../state/view/view.ts';
import {cutEnd} from '../text/cells/cut.ts';
import {span} from '../text/cells/line.ts';
import {wrapText} from '../text/cells/wrap.ts';
import type {KeyLayer} from './input.ts';
import {dialogContexts} from './keys/key-contexts.ts';
import {Rows} from './kit/pane.tsx';
import {minimum} from './layout.ts';
import type {ScreenSize} from './layout-now.ts';
import {contextsOf} from './pages.ts';
import {strings} from './strings.ts';
import {paint} from './theme/theme.ts';
import {useTheme} from './theme/use-theme.ts';
import {type AppParts, useApp} from './use-app.ts';

/** Shown when the screen is too small for the panes. Everything keeps running behind it. */
export function TinyNote({columns, rows}: ScreenSize) {
	const theme = useTheme();
	const parts = useApp();
	const {keys} = parts;
	const view = useStore(parts.view);
	const {needs, size, quit, quitTwice, dialog} = strings.tooSmall;
	const words = [
		needs(minimum.columns, minimum.rows),
		view.dialogs.length > 0 ? dialog : size(columns, rows),
		isQuitKey(parts, view) ? quit(keys.label('quit')) : quitTwice(keys.label('interrupt')),
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

/** Nothing is done that can't be seen: keys only quit, or type text where they did before. */
export function tinyLayer(parts: AppParts): KeyLayer {
	const view = parts.view.getState();
	const answerTo = (isWanted: boolean) => (isWanted ? 'ignored' : 'consumed');
	return {
		handle: ({name, text}) => answerTo((text !== '' && typesText(view)) || isQuitKey(parts, view, name)),
		paste: () => answerTo(typesText(view)),
	};
}

/** Whether a key, by default any, quits here. */
function isQuitKey({keys, profile}: AppParts, view: View, key?: string): boolean {
	const contexts = contextsOf(view, profile.isConnected);
	const quits = keys.bindings.filter(({action}) => action === 'quit');
	const reaching = quits.flatMap(binding => keys.keysOf(binding, contexts));
	return key === undefined ? reaching.length > 0 : reaching.includes(key);
}

/** Whether letters are text here, whatever they are. */
function typesText(view: View): boolean {
	const top = view.dialogs.at(-1);
	return top ? 'takesText' in dialogContexts[top.kind] : takesText(view);
}
