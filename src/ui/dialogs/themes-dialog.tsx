import {notify} from '../../actions/notify.ts';
import {type ThemeName, themeNames} from '../../domain/display.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import type {Display} from '../../state/view/display.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import type {AppParts} from '../use-app.ts';
import {cancel} from './dialog-bindings.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';
import {strings} from './strings.ts';

const text = strings.themes;

/** The theme list; the screen previews the selected theme. */
export const themesDialog: ListModule<'themes', ThemeName> = listDialog({
	kind: 'themes',
	choose: 'keep-theme',
	rows: () => themeNames,
	nameOf: name => name,
	lines:
		(_, __, {display}) =>
		name => [span(pad(cleanLine(name), 15), 'strong'), span(about(name, display.getState()), 'dim')],
	title: () => [span(text.title, 'heading')],
	hasMark: true,
	moved: ({display}, theme) => display.setState({theme}),
});

function about(name: ThemeName, {isDark, background}: Display): Safe {
	if (name !== 'auto') return text[name];
	return background ? text.terminal(text.isDark(isDark)) : text.terminalUnknown(text.isDark(isDark));
}

async function keep(parts: AppParts, theme: ThemeName): Promise<void> {
	const result = await parts.program.profiles.saveTheme(theme);
	if (result.isDone) notify(parts.actions, 'good', text.saved(theme));
	else notify(parts.actions, 'bad', text.notSaved(theme, result.what));
}

export const themeBindings = bindingsOf([
	{
		action: 'themes',
		keys: ['T'],
		title: 'Theme: dark, light, high contrast, 16 colors and others',
		findBy: 'catppuccin gruvbox tokyonight none',
		contexts: inViewsAndWelcome,
		run(parts) {
			const before = parts.display.getState().theme;
			setView(parts.view, view =>
				pushDialog(view, {kind: 'themes', index: themeNames.indexOf(before), before}),
			);
		},
	},
	{
		action: 'keep-theme',
		keys: ['enter'],
		title: 'Keep the theme',
		hint: 'keep',
		contexts: ['themes'],
		isPaletteHidden: true,
		run: themesDialog.onRow((parts, theme) => {
			setView(parts.view, popDialog);
			void keep(parts, theme);
		}),
	},
	{
		...cancel,
		title: 'Cancel',
		hint: 'cancel',
		contexts: ['themes'],
		run: themesDialog.onRow(({view, display}, _, {before}) => {
			display.setState({theme: before});
			setView(view, popDialog);
		}),
	},
]);
