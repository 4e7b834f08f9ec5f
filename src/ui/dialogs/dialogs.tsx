import type {Dialog} from '../../state/view/dialogs.ts';
import type {KeyLayer} from '../input.ts';
import {Backdrop} from '../kit/pane.tsx';
import {useScreenCursor} from '../kit/use-screen-cursor.ts';
import type {AppParts} from '../use-app.ts';
import {answerDialog} from './answer/answer-dialog.tsx';
import {attachmentsDialog} from './attachments-dialog.tsx';
import {awayDialog} from './away-dialog.tsx';
import {blocksDialog} from './blocks-dialog.tsx';
import {columnsDialog} from './columns-dialog.tsx';
import {confirmDialog} from './confirm-dialog.tsx';
import {detailsDialog} from './details-dialog.tsx';
import type {DialogModule, DialogProps} from './dialog-module.ts';
import {diffDialog} from './diff/diff-dialog.tsx';
import {formDialog} from './form/form-dialog.tsx';
import {helpDialog} from './help-dialog.tsx';
import {historyDialog} from './history-dialog.tsx';
import {hooksDialog} from './hooks-dialog.tsx';
import {inboxDialog} from './inbox-dialog.tsx';
import {linksDialog} from './links-dialog.tsx';
import {newSessionDialog} from './new-session/new-session-dialog.tsx';
import {paletteDialog} from './palette-dialog.tsx';
import {profilesDialog} from './profiles-dialog.tsx';
import {quitDialog} from './quit-dialog.tsx';
import {searchDialog} from './search-dialog.tsx';
import {snoozeDialog} from './snooze-dialog.tsx';
import {themesDialog} from './themes-dialog.tsx';

/** Every dialog by its kind. Drawing and key layers come from this table. */
const modules: {readonly [Kind in Dialog['kind']]: DialogModule<Kind>} = {
	answer: answerDialog,
	attachments: attachmentsDialog,
	away: awayDialog,
	blocks: blocksDialog,
	columns: columnsDialog,
	confirm: confirmDialog,
	details: detailsDialog,
	diff: diffDialog,
	form: formDialog,
	help: helpDialog,
	history: historyDialog,
	hooks: hooksDialog,
	inbox: inboxDialog,
	links: linksDialog,
	'new-session': newSessionDialog,
	palette: paletteDialog,
	profiles: profilesDialog,
	quit: quitDialog,
	search: searchDialog,
	snooze: snoozeDialog,
	themes: themesDialog,
};

function moduleOf<Kind extends Dialog['kind']>(kind: Kind): DialogModule<Kind> {
	return modules[kind];
}

export function dialogLayer(parts: AppParts, dialog: Dialog): KeyLayer {
	return moduleOf(dialog.kind).layer(parts, dialog);
}

type Props = Omit<DialogProps<Dialog['kind']>, 'dialog'>;

/** Draws the top dialog over the panes; dialogs below it are hidden. */
export function Dialogs({layout, lists, view}: Props) {
	const dialog = view.dialogs.at(-1);
	// When a dialog closes, the terminal cursor returns to its previous place.
	useScreenCursor(undefined);
	if (!dialog) return undefined;
	const {Component} = moduleOf(dialog.kind);
	return (
		<Backdrop value={layout}>
			<Component dialog={dialog} layout={layout} lists={lists} view={view} />
		</Backdrop>
	);
}
