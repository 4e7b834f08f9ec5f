import {copyText} from '../../actions/copy-text.ts';
import {openLink} from '../../actions/open-link.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {popDialog, withTop} from '../../state/dialogs.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {setView} from '../set-view.ts';
import {type Parts, useApp} from '../use-app.ts';
import {ChoiceDialog} from './choice-dialog.tsx';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {listLayer} from './list-layer.ts';
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
	const {links, index} = dialog;
	const take = (row: number, use: (link: string) => Promise<void>) => {
		const link = links[row];
		if (link === undefined) return;
		setView(parts.view, popDialog);
		void use(link);
	};
	const open = (link: string) => openLink(parts.actions, link);
	const list = listLayer(parts, {
		context: 'links',
		index,
		count: () => links.length,
		moved: to => setView(parts.view, view => withTop(view, {...dialog, index: to})),
		chosen(action) {
			if (action === 'open-link') take(index, open);
			if (action === 'copy-link') take(index, link => copyText(parts.actions, link, text.copied));
		},
	});
	return {
		...list,
		handle(press, isAlone) {
			if (!/^[1-9]$/.test(press.name)) return list.handle(press, isAlone);
			take(Number(press.name) - 1, open);
			return 'consumed';
		},
	};
}

export const linksDialog: DialogModule<'links'> = {Component: LinksDialog, layer: linksLayer};
