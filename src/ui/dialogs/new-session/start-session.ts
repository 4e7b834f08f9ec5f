import {sendMessage} from '../../../actions/messages.ts';
import type {Result} from '../../../actions/result.ts';
import {createSession} from '../../../actions/sessions.ts';
import {newSessionDraft} from '../../../state/dialogs.ts';
import {setView, type ViewStore} from '../../../state/view.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {sendComposer} from '../../composer/composer-intents.ts';
import {showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import {checkCwd} from '../form/form-checks.ts';
import {strings} from '../strings.ts';
import {agentsRead, change, computerOf, type NewSessionState} from './new-session-state.ts';

const text = strings.newSession;

/** Creates the session and sends it the words. If that fails, they are back in the dialog, with the reason. */
export async function startSession(parts: AppParts): Promise<void> {
	// A choice of an agent may still wait for the agents.
	if (openDialog(parts.view)?.pendingAgentSteps && !(await agentsRead(parts))) return;
	const state = openDialog(parts.view);
	const composer = parts.composers.getState().bySession.get(newSessionDraft);
	if (!state || state.isBusy || !composer) return;
	const folder = editorText(state.folder).trim();
	const wrong = checkCwd(folder);
	if (wrong !== undefined) {
		change(parts.view, now => ({...now, part: 'folder', problem: wrong}));
		return;
	}
	if (editorText(composer.editor).trim() === '' && composer.images.length + composer.files.length === 0) {
		change(parts.view, now => ({...now, part: 'words', problem: text.empty}));
		return;
	}
	await sendComposer(parts, newSessionDraft, composer, async draft => {
		change(parts.view, ({problem: _, ...now}) => ({...now, isBusy: true, sent: draft.text}));
		const computerId = await computerOf(parts, state);
		const before = parts.view.getState().shown;
		if (computerId === undefined) return failed(parts.view, {isDone: false, what: text.noComputer});
		const values = {...draftOf(state, folder), computerId};
		const created = await createSession(parts.actions, values, text.started);
		if (!created.isDone) return failed(parts.view, created);
		const {sessionId} = created.value;
		const sent = await sendMessage(parts.actions, sessionId, draft);
		const {dialogs, shown} = parts.view.getState();
		const isOpen = dialogs.at(-1)?.kind === 'new-session';
		setView(parts.view, view => ({
			...view,
			dialogs: dialogs.filter(dialog => dialog.kind !== 'new-session'),
		}));
		// The user may have gone on to something else.
		if (isOpen && shown === before) showResult(parts, {kind: 'session', id: sessionId}, true);
		return sent;
	});
}

function openDialog(view: ViewStore): NewSessionState | undefined {
	return view.getState().dialogs.findLast(dialog => dialog.kind === 'new-session');
}

function draftOf({agent}: NewSessionState, folder: string) {
	return {...(folder !== '' && {cwd: folder}), ...(agent !== '' && {agent})};
}

function failed<T extends Extract<Result<never>, {isDone: false}>>(view: ViewStore, result: T): T {
	const problem = [result.what, result.hint].filter(Boolean).join(' ');
	change(view, state => ({...state, isBusy: false, problem}));
	return result;
}
