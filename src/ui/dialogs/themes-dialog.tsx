import {notify} from '../../actions/notify.ts';
import {type ThemeName, themeNames} from '../../domain/display.ts';
import {popDialog, pushDialog} from '../../state/view/dialogs.ts';
import type {Display} from '../../state/view/display.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {type Safe, safe} from '../../text/cells/safe.ts';
import {bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import type {AppParts} from '../use-app.ts';
import {cancel} from './dialog-bindings.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

const abouts: Readonly<Record<Exclude<ThemeName, 'auto'>, Safe>> = {
	dark: safe`on its own dark background`,
	light: safe`on its own light background`,
	'high-contrast': safe`contrast of at least 7:1, on black or white`,
	catppuccin: safe`Catppuccin Mocha, on its own background`,
	gruvbox: safe`Gruvbox dark, on its own background`,
	tokyonight: safe`Tokyo Night, on its own background`,
	ansi: safe`the terminal's 16 colors`,
	none: safe`bold and inverse only`,
};

/** The theme list; the screen previews the selected theme. */
export const themesDialog: ListModule<'themes', ThemeName> = listDialog({
	kind: 'themes',
	choose: 'keep-theme',
	rows: () => themeNames,
	lines:
		(_, __, {display}) =>
		name => [span(pad(cleanLine(name), 15), 'strong'), span(about(name, display.getState()), 'dim')],
	title: () => [span(safe`Theme`, 'heading')],
	hasMark: true,
	moved: ({display}, theme) => display.setState({theme}),
});

function about(name: ThemeName, {isDark, background}: Display): Safe {
	if (name !== 'auto') return abouts[name];
	const shade = isDark ? safe`dark` : safe`light`;
	return safe`follows the terminal (${background ? shade : safe`unknown, assuming ${shade}`})`;
}

async function keep(parts: AppParts, theme: ThemeName): Promise<void> {
	const result = await parts.program.profiles.saveTheme(theme);
	if (result.isDone) notify(parts.actions, 'good', `Theme saved: ${theme}`);
	else notify(parts.actions, 'bad', `Theme ${theme} is on until you quit, but not saved: ${result.what}`);
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
