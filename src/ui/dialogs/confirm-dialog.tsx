import {useEffect} from 'react';
import {forgetComputer} from '../../actions/computers.ts';
import {notify} from '../../actions/notify.ts';
import {archiveSession, forgetSession, settleCutOff} from '../../actions/sessions.ts';
import {archiveSessions} from '../../actions/several-sessions.ts';
import {removeSessionWorktree} from '../../actions/work-folder.ts';
import type {Subject} from '../../domain/sessions/attention.ts';
import type {KeyLayer} from '../../keys/layers.ts';
import {unmarked} from '../../state/sessions/marked-sessions.ts';
import {type Intent, popDialog} from '../../state/view/dialogs.ts';
import {withoutShown} from '../../state/view/shown-item.ts';
import {askToConfirm, isTypingIn, setView, type ViewStore} from '../../state/view/view.ts';
import {type ActionName, bindingsIn} from '../keys/binding.ts';
import {offerUndo} from '../offer-undo.ts';
import {type AppParts, useApp} from '../use-app.ts';
import {listsNow} from '../use-lists.ts';
import {watchInput} from '../user-input.ts';
import type {DialogModule, DialogOf, DialogProps} from './dialog-module.ts';
import {strings as diffStrings} from './diff/strings.ts';
import {changeProfile, saveUnchecked} from './form/connect.ts';
import {replaceFile} from './form/form-layer.ts';
import {keyWait} from './key-wait.ts';
import {changeDialog, topDialog} from './list-layer.ts';
import {removeProfile} from './profiles-dialog.tsx';
import {QuestionPane} from './question-pane.tsx';
import {strings} from './strings.ts';

/** A modal question that must be answered before anything else. */
function ConfirmDialog({dialog, layout}: DialogProps<'confirm'>) {
	const parts = useApp();
	const {keys, actions, view} = parts;
	const {isUnexpected, intent} = dialog;
	const isReady = !isUnexpected || dialog.isReady;
	useEffect(() => {
		const setReady = (now: DialogOf<'confirm'>) =>
			now.intent === intent ? {...now, isReady: true as const} : now;
		return isReady ? undefined : actions.clock.after(keyWait, () => changeDialog(view, 'confirm', setReady));
	}, [actions, view, intent, isReady]);
	const label = (action: ActionName) =>
		isUnexpected && !takesEnter(intent) ? keys.label(action) : keys.labels(action);
	const answers = [
		{action: 'confirm', keys: label('confirm'), words: strings.confirm.yes},
		{action: 'refuse', keys: label('refuse'), words: strings.confirm.no},
	] as const;
	return (
		<QuestionPane
			layout={layout}
			context="confirm"
			title={dialog.title}
			text={dialog.text}
			answers={isReady ? answers : []}
		/>
	);
}

export const confirmBindings = bindingsIn(
	{
		contexts: ['confirm'],
		isPaletteHidden: true,
		isEnabled({view}) {
			const dialog = view.dialogs.at(-1);
			const isEarly = dialog?.kind === 'confirm' && dialog.isUnexpected && !dialog.isReady;
			return !isEarly || 'The question has just appeared: its keys count in a moment';
		},
	},
	[
		{
			action: 'confirm',
			keys: ['y', 'enter'],
			title: 'Yes',
			hint: 'yes',
			isWayOut: true,
			run(parts) {
				const dialog = topDialog(parts.view, 'confirm');
				setView(parts.view, popDialog);
				if (dialog) perform(parts, dialog.intent);
			},
		},
		{
			action: 'refuse',
			keys: ['n'],
			title: 'No',
			hint: 'no',
			run(parts) {
				const dialog = topDialog(parts.view, 'confirm');
				setView(parts.view, popDialog);
				// Escape leaves the question open.
				if (dialog?.intent.name === 'use-account') parts.program.profiles.openAccount(undefined);
				if (dialog?.intent.name === 'continue-cut-off') void settleCutOff(parts.actions, false);
			},
		},
	],
);

function confirmLayer(parts: AppParts, {intent, isUnexpected, isReady}: DialogOf<'confirm'>): KeyLayer {
	return {
		name: 'confirm',
		isModal: true,
		handle(press) {
			const {action, keys} = parts.keys.find(['confirm'], press.name) ?? {};
			const isYes = press.name === keys?.[0] || (action === 'confirm' && takesEnter(intent));
			const isMeant = action === 'cancel' || (isReady && (action === 'refuse' || isYes));
			if (isUnexpected && !isMeant) return 'consumed';
			if (action === 'cancel' && intent.name === 'continue-cut-off') void settleCutOff(parts.actions, false);
			parts.input.handleKey(parts, press, ['confirm']);
			return 'consumed';
		},
	};
}

/** Whether Enter means yes even to an unexpected question: nobody is writing then. */
function takesEnter({name}: Intent): boolean {
	return name === 'continue-cut-off';
}

function perform(parts: AppParts, intent: Intent): void {
	switch (intent.name) {
		case 'quit':
			parts.program.quit();
			return;
		case 'continue-cut-off':
			void settleCutOff(parts.actions, true);
			return;
		case 'open-profile':
			parts.program.profiles.switchTo(intent.profile);
			return;
		case 'use-account':
			parts.program.profiles.openAccount(intent.id);
			return;
		case 'change-profile':
			void changeProfile(parts);
			return;
		case 'save-unchecked':
			void saveUnchecked(parts);
			return;
		case 'remove-profile':
			void removeProfile(parts, intent.profile);
			return;
		case 'replace-file':
			void replaceFile(parts);
			return;
		case 'archive-session':
			void archive(parts, intent.id);
			return;
		case 'archive-sessions':
			void archiveSeveral(parts, intent.ids);
			return;
		case 'forget-computer':
			forget(parts, {kind: 'computer', id: intent.id}, forgetComputer(parts.actions, intent.id));
			return;
		case 'remove-worktree':
			void removeWorktree(parts, intent);
			return;
		case 'forget-session':
			forget(parts, {kind: 'session', id: intent.id}, forgetSession(parts.actions, intent.id));
	}
}

/** Removes a worktree. If it isn't merged, asks again and says what would be lost, unless the user has moved on. */
async function removeWorktree(
	parts: AppParts,
	{id, isForced}: Extract<Intent, {name: 'remove-worktree'}>,
): Promise<void> {
	const hasMovedOn = watchInput(parts);
	const removal = await removeSessionWorktree(parts.actions, id, isForced);
	if (!removal.isDone || removal.value.isRemoved) return;
	const {title, text} = diffStrings.loseWorktree(removal.value);
	const intent = {name: 'remove-worktree', id, isForced: true} as const;
	if (hasMovedOn()) notify(parts.actions, 'info', diffStrings.worktreeStays(text));
	else
		askToConfirm(parts.view, {
			title,
			text: `${text} ${diffStrings.removeAnyway}`,
			intent,
			isUnexpected: true,
		});
}

/** Archives a session, which leaves the screen once the service has agreed. */
async function archive(parts: AppParts, sessionId: string): Promise<void> {
	const result = await archiveSession(parts.actions, sessionId);
	if (!result.isDone) return;
	offerUndo(parts, {action: 'archive', subjects: [{kind: 'session', id: sessionId}]}, result.value);
	closeArchived(parts.view, [sessionId]);
}

/** Archives sessions; those that the service refused to archive stay marked. */
async function archiveSeveral(parts: AppParts, ids: readonly string[]): Promise<void> {
	const {sessionsById} = listsNow(parts).all;
	const targets = ids.flatMap(id => sessionsById.get(id) ?? []);
	const {done, undo} = await archiveSessions(parts.actions, targets);
	const subjects = done.map(id => ({kind: 'session', id}) as const);
	offerUndo(parts, {action: 'archive', subjects}, undo);
	closeArchived(parts.view, done);
	setView(parts.view, view => unmarked(view, done));
}

/** Removes archived sessions from the screen, except one that the user is writing to by now. */
function closeArchived(views: ViewStore, sessionIds: readonly string[]): void {
	const view = views.getState();
	if (view.showsArchived) return;
	const closed = sessionIds.filter(id => !isTypingIn(view, id));
	setView(views, now => closed.reduce(withoutShown, now));
}

/** Removes a forgotten session or computer from the screen. */
function forget(parts: AppParts, subject: Subject, undo: () => void): void {
	setView(parts.view, view => withoutShown(view, subject.id));
	offerUndo(parts, {action: 'forget', subjects: [subject]}, undo);
}

export const confirmDialog: DialogModule<'confirm'> = {Component: ConfirmDialog, layer: confirmLayer};
