import {themeNames} from '../../domain/display.ts';
import {pushDialog} from '../../state/dialogs.ts';
import {setView} from '../set-view.ts';
import type {AppParts} from '../use-app.ts';

/** Actions that change how things are shown. */
export const themeIntents = {
	themes(parts: AppParts) {
		const before = parts.display.getState().theme;
		setView(parts.view, view =>
			pushDialog(view, {kind: 'themes', index: themeNames.indexOf(before), before}),
		);
	},
};
