import {copyText} from '../../actions/copy-text.ts';
import {openLink} from '../../actions/user-programs.ts';
import {popDialog} from '../../state/view/dialogs.ts';
import {setView} from '../../state/view/view.ts';
import {cleanLine} from '../../text/cells/clean.ts';
import {cutMiddle, pad} from '../../text/cells/cut.ts';
import {span} from '../../text/cells/line.ts';
import {safe} from '../../text/cells/safe.ts';
import {bindingsIn} from '../keys/binding.ts';
import type {AppParts} from '../use-app.ts';
import {type ListModule, listDialog} from './list-dialog.tsx';

/** Closes the list and does something with the link at the cursor. */
const withLink =
	(use: (actions: AppParts['actions'], link: string) => Promise<void>) =>
	({actions, view}: AppParts, link: string): void => {
		setView(view, popDialog);
		void use(actions, link);
	};

export const linksDialog: ListModule<'links', string> = listDialog({
	kind: 'links',
	choose: 'open-link',
	rows: ({links}) => links,
	lines: (_, width) => (link, at) => [
		span(pad(at < 9 ? safe`${at + 1}` : safe``, 3), 'strong'),
		span(cutMiddle(cleanLine(link), width - 3), 'info'),
	],
	title: () => [span(safe`Links in the message`, 'heading')],
	hasMark: true,
	digit: withLink(openLink),
});

export const linkBindings = bindingsIn({contexts: ['links']}, [
	{
		action: 'open-link',
		keys: ['enter', 'o'],
		title: 'Open it',
		hint: 'open',
		isPaletteHidden: true,
		run: linksDialog.onRow(withLink(openLink)),
	},
	{
		action: 'copy-link',
		keys: ['y'],
		title: 'Copy it',
		hint: 'copy',
		run: linksDialog.onRow(withLink((actions, link) => copyText(actions, link, 'the link'))),
	},
]);
