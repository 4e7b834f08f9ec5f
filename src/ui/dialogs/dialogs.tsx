import type {Lists} from '../../state/lists.ts';
import type {View} from '../../state/view.ts';
import {contextsOf, keyState} from '../contexts.ts';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {Layout} from '../layout.ts';
import {useApp} from '../use-app.ts';
import {AttachmentsDialog} from './attachments-dialog.tsx';
import {BlocksDialog} from './blocks-dialog.tsx';
import {ConfirmDialog} from './confirm-dialog.tsx';
import {DetailsDialog} from './details-dialog.tsx';
import {FormDialog} from './form/form-dialog.tsx';
import {HelpDialog} from './help-dialog.tsx';
import {HistoryDialog} from './history-dialog.tsx';
import {InboxDialog} from './inbox-dialog.tsx';
import {PaletteDialog} from './palette-dialog.tsx';
import {ProfilesDialog} from './profiles-dialog.tsx';
import {SearchDialog} from './search-dialog.tsx';
import {SnoozeDialog} from './snooze-dialog.tsx';
import {ThemesDialog} from './themes-dialog.tsx';

/** Draws the top dialog over the panes; dialogs below it are hidden. */
export function Dialogs({
	layout,
	lists,
	view,
}: {
	readonly layout: Layout;
	readonly lists: Lists;
	readonly view: View;
}) {
	const parts = useApp();
	const dialog = view.dialogs.at(-1);
	// When a dialog closes, the terminal cursor returns to its previous place.
	useScreenCursor(undefined);
	switch (dialog?.kind) {
		case undefined:
			return undefined;
		case 'form':
			return <FormDialog layout={layout} />;
		case 'confirm':
			return <ConfirmDialog dialog={dialog} layout={layout} />;
		case 'details':
			return <DetailsDialog dialog={dialog} layout={layout} lists={lists} />;
		case 'inbox':
			return <InboxDialog dialog={dialog} layout={layout} lists={lists} />;
		case 'snooze':
			return <SnoozeDialog dialog={dialog} layout={layout} lists={lists} />;
		case 'palette':
			return <PaletteDialog dialog={dialog} layout={layout} lists={lists} view={view} />;
		case 'profiles':
			return <ProfilesDialog dialog={dialog} layout={layout} />;
		case 'themes':
			return <ThemesDialog dialog={dialog} layout={layout} />;
		case 'history':
			return <HistoryDialog dialog={dialog} layout={layout} />;
		case 'attachments':
			return <AttachmentsDialog dialog={dialog} layout={layout} />;
		case 'search':
			return <SearchDialog dialog={dialog} layout={layout} lists={lists} />;
		case 'blocks':
			return <BlocksDialog dialog={dialog} layout={layout} />;
		case 'help': {
			const under = {...view, dialogs: []};
			return (
				<HelpDialog
					dialog={dialog}
					layout={layout}
					contexts={contextsOf(under, parts.isConnected)}
					facts={keyState(parts, under, lists)}
				/>
			);
		}
	}
}
