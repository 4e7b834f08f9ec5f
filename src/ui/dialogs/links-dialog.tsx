import {copyText} from '../../actions/copy-text.ts';
import {openLink} from '../../actions/open-link.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {bindingsIn} from '../keys/binding.ts';
import {type AppParts, type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {choiceLayer, topDialog} from './list-layer.ts';
import {strings} from './strings.ts';

const text = strings.links;

/** Lists the addresses in a message, to open one in the browser. */
function LinksDialog({dialog, layout}: DialogProps<'links'>) {
	const {keys} = useApp();
	const {links, index} = dialog;
	return (
		<ChoiceDialog
			layout={layout}
			title={text.title}
			hint={text.keys(keys.label('open-link'), keys.label('copy-link'), keys.label('cancel'))}
			index={index}
			context="links"
			choose="open-link"
			rows={width =>
				links.map((link, row) => [
					span(pad(row < 9 ? safe`${row + 1}` : safe``, 3), 'strong'),
					span(cutMiddle(cleanLine(link), width - 3), 'info'),
				])
			}
		/>
	);
}

export const linkBindings = bindingsIn({contexts: ['links']}, [
	{
		action: 'open-link',
		keys: ['enter', 'o'],
		title: 'Open it',
		hint: 'open',
		isPaletteHidden: true,
		run: parts => useLink(parts, openLink),
	},
	{
		action: 'copy-link',
		keys: ['y'],
		title: 'Copy it',
		hint: 'copy',
		run: parts => useLink(parts, (actions, link) => copyText(actions, link, text.copied)),
	},
]);

/** Keys of the list; digits 1 to 9 open the first nine links directly. */
function linksLayer(parts: AppParts, dialog: DialogOf<'links'>): KeyLayer {
	return choiceLayer(parts, dialog, dialog.links.length, {
		pick: row => useLink(parts, openLink, row),
	});
}

/** Closes the list and does something with a link, by default the one at the cursor. */
function useLink(
	{actions, view}: Parts<'actions' | 'view'>,
	use: (actions: AppParts['actions'], link: string) => Promise<void>,
	row = topDialog(view, 'links')?.index ?? 0,
): void {
	const link = topDialog(view, 'links')?.links[row];
	if (link === undefined) return;
	setView(view, popDialog);
	void use(actions, link);
}

export const linksDialog: DialogModule<'links'> = {Component: LinksDialog, layer: linksLayer};
