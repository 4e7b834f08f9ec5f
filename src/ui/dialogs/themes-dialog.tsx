import {notify} from '../../actions/notify.ts';
import {type ThemeName, themeNames} from '../../domain/display.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, pushDialog, withTop} from '../../state/view/dialogs.ts';
import type {Display} from '../../state/view/display.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {pad} from '../../text/cells/cut.ts';
import {type Line, span} from '../../text/cells/line.ts';
import type {Safe} from '../../text/cells/safe.ts';
import {bindingsOf} from '../keys/binding.ts';
import {inViewsAndWelcome} from '../keys/key-contexts.ts';
import {useDisplay} from '../theme/use-theme.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {listLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.themes;

/** The theme list; the screen previews the selected theme. */
function ThemesDialog({dialog, layout}: DialogProps<'themes'>) {
	const {keys} = useApp();
	const display = useDisplay();
	return (
		<ChoiceDialog
			layout={layout}
			title={text.title}
			hint={text.keys(keys.label('list-down'), keys.label('keep-theme'), keys.label('cancel'))}
			index={dialog.index}
			context="themes"
			choose="keep-theme"
			rows={() => themeNames.map(name => themeLine(name, display))}
		/>
	);
}

function themeLine(name: ThemeName, display: Display): Line {
	return [span(pad(cleanLine(name), 15), 'strong'), span(about(name, display), 'dim')];
}

function about(name: ThemeName, {isDark, background}: Display): Safe {
	if (name !== 'auto') return text[name];
	return background ? text.terminal(text.isDark(isDark)) : text.terminalUnknown(text.isDark(isDark));
}

function themesLayer(parts: AppParts, dialog: DialogOf<'themes'>): KeyLayer {
	const {index, before} = dialog;
	const preview = (theme: ThemeName) => parts.display.setState({theme});
	const list = listLayer(parts, {
		context: 'themes',
		index,
		count: () => themeNames.length,
		moved(to) {
			preview(themeNames[to] ?? before);
			setView(parts.view, view => withTop(view, {...dialog, index: to}));
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			if (parts.keys.find(['themes'], press.name)?.action === 'cancel') preview(before);
			return list.handle(press, isAlone);
		},
	};
}

async function keep(parts: Parts<'actions' | 'program'>, theme: ThemeName): Promise<void> {
	const result = await parts.program.profiles.saveTheme(theme);
	if (result.isDone) notify(parts.actions, 'good', text.saved(theme));
	else notify(parts.actions, 'bad', text.notSaved(theme, result.what));
}

export const themeBindings = bindingsOf([
	{
		action: 'themes',
		keys: ['T'],
		title: 'Theme: dark, light, high contrast, 16 colors, none',
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
		run(parts) {
			const dialog = topDialog(parts.view, 'themes');
			if (!dialog) return;
			setView(parts.view, popDialog);
			void keep(parts, themeNames[dialog.index] ?? dialog.before);
		},
	},
]);

export const themesDialog: DialogModule<'themes'> = {Component: ThemesDialog, layer: themesLayer};
