import {notify} from '../../actions/notify.ts';
import {type ThemeName, themeNames} from '../../domain/display.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {type Dialog, popDialog, withTop} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';
import {listLayer} from './list-layer.ts';

/** Keys of the theme list. The screen previews the selected theme until the user keeps it or cancels. */
export function themesLayer(parts: AppParts, dialog: Dialog & {kind: 'themes'}): KeyLayer {
	const {index, before} = dialog;
	const wear = (theme: ThemeName) => parts.display.setState({theme});
	const list = listLayer(parts, {
		context: 'themes',
		index,
		count: () => themeNames.length,
		moved(to) {
			wear(themeNames[to] ?? before);
			setView(parts.view, view => withTop(view, {...dialog, index: to}));
		},
		chosen(action) {
			if (action !== 'keep-theme') return;
			setView(parts.view, popDialog);
			void keep(parts, themeNames[index] ?? before);
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			if (parts.keys.find(['themes'], press.name)?.action === 'cancel') wear(before);
			return list.handle(press, isAlone);
		},
	};
}

async function keep(parts: AppParts, theme: ThemeName): Promise<void> {
	const kept = await parts.profiles.saveTheme(theme);
	if (kept.isDone) notify(parts.actions, 'good', `The theme is ${theme}, from now on`);
	else notify(parts.actions, 'bad', `The theme is ${theme} until you quit: ${kept.what}`);
}
