import {copyText} from '../../actions/copy-text.ts';
import {openLink} from '../../actions/open-link.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {choiceLayer} from './list-layer.ts';
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

/** Keys of the list; digits 1 to 9 open the first nine links directly. */
function linksLayer(parts: Parts<'actions' | 'keys' | 'view'>, dialog: DialogOf<'links'>): KeyLayer {
	const {links} = dialog;
	const choose = (row: number, use: (link: string) => Promise<void>) => {
		const link = links[row];
		if (link === undefined) return;
		setView(parts.view, popDialog);
		void use(link);
	};
	const open = (link: string) => openLink(parts.actions, link);
	return choiceLayer(parts, dialog, links.length, {
		chosen(action, at) {
			if (action === 'open-link') choose(at, open);
			if (action === 'copy-link') choose(at, link => copyText(parts.actions, link, text.copied));
		},
		pick: row => choose(row, open),
	});
}

export const linksDialog: DialogModule<'links'> = {Component: LinksDialog, layer: linksLayer};
