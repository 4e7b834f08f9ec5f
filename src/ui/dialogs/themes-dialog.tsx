import {type ThemeName, themeNames} from '../../domain/display.ts';
import type {Dialog} from '../../state/dialogs.ts';
import type {Display} from '../../state/display.ts';
import {cleanLine} from '../../text/clean.ts';
import {pad} from '../../text/cut.ts';
import {type Line, span} from '../../text/line.ts';
import {type Safe, safe} from '../../text/safe.ts';
import type {Layout} from '../layout.ts';
import {useDisplay} from '../theme/use-display.ts';
import {useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';

/** The theme list; the screen previews the selected theme. */
export function ThemesDialog(props: {readonly dialog: Dialog & {kind: 'themes'}; readonly layout: Layout}) {
	const {dialog, layout} = props;
	const {keys} = useApp();
	const display = useDisplay();
	return (
		<ChoiceDialog
			layout={layout}
			title={safe`Theme`}
			hint={safe`${keys.label('list-down')} tries · ${keys.label('keep-theme')} keeps · ${keys.label('cancel')} as before`}
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
	switch (name) {
		case 'auto':
			return safe`as the terminal's background: ${isDark ? safe`dark` : safe`light`}${background ? safe`` : safe`, it doesn't tell`}`;
		case 'dark':
			return safe`for dark backgrounds`;
		case 'light':
			return safe`for light backgrounds`;
		case 'high-contrast':
			return safe`7:1 and more, on dark and light`;
		case 'ansi':
			return safe`the terminal's own sixteen colors`;
		case 'none':
			return safe`bold and inverse only`;
	}
}
