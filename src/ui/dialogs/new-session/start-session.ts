import {sendMessage} from '../../../actions/messages.ts';
import type {Result} from '../../../actions/result.ts';
import {createSession} from '../../../actions/sessions.ts';
import {type Dialog, newSessionDraft} from '../../../state/view/dialogs.ts';
import {setView, type ViewStore} from '../../../state/view/view.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {sendComposer} from '../../composer/send-composer.ts';
import {startTypeAhead} from '../../composer/type-ahead.ts';
import {type Opened, showNewSession} from '../../open-session.ts';
import {strings as screenStrings} from '../../strings.ts';
import type {AppParts} from '../../use-app.ts';
import {checkCwd} from '../form/form-checks.ts';
import {strings} from '../strings.ts';
import {agentOf, change, computerOf, type NewSessionState} from './new-session-state.ts';

const text = strings.newSession;

/**
 * Creates the session and sends it the text. On failure, the text is back in the dialog, with the reason. Text typed
 * meanwhile goes to the session.
 */
export async function startSession(parts: AppParts): Promise<void> {
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
	const {view} = parts;
	const {draftPlace: place} = view.getState();
	const isThis = (dialog: Dialog | undefined) =>
		dialog?.kind === 'new-session' && dialog.opening === state.opening;
	const changeThis = (next: (now: NewSessionState) => NewSessionState) =>
		change(view, now => (isThis(now) ? next(now) : now));
	const failed = <T extends Extract<Result<never>, {isDone: false}>>(result: T): T => {
		const problem = [result.what, result.hint].filter(Boolean).join(' ');
		changeThis(now => ({...now, isBusy: false, problem}));
		return result;
	};
	let opened: Opened = {isOpen: false};
	const starting = sendComposer(parts, newSessionDraft, composer, async draft => {
		changeThis(({problem: _, ...now}) => ({...now, isBusy: true, sent: draft.text}));
		const computerId = await computerOf(parts, state);
		if (computerId === undefined) return failed({isDone: false, what: text.noComputer});
		const agent = agentOf(parts, state);
		const values = {computerId, ...(folder !== '' && {cwd: folder}), ...(agent !== '' && {agent})};
		const created = await createSession(parts.actions, values, text.started);
		if (!created.isDone) return failed(created);
		const {sessionId} = created.value;
		const sent = await sendMessage(parts.actions, sessionId, draft);
		const isOpen = isThis(view.getState().dialogs.at(-1));
		setView(view, ({draftPlace, ...now}) => ({
			...now,
			// Another draft may have been begun since.
			...(draftPlace && draftPlace !== place && {draftPlace}),
			dialogs: now.dialogs.filter(dialog => !isThis(dialog)),
		}));
		opened = {isOpen: showNewSession(parts, sessionId, !isOpen), sessionId};
		return sent;
	});
	if (openDialog(view)?.isBusy)
		startTypeAhead(
			parts,
			starting.then(() => opened),
			{why: screenStrings.creatingSession(parts.keys.label('keep-draft')), back: 'keep-draft'},
		);
	await starting;
}

function openDialog(view: ViewStore): NewSessionState | undefined {
	return view.getState().dialogs.findLast(dialog => dialog.kind === 'new-session');
}
