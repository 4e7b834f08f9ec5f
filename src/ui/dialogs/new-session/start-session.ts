import type {Draft} from '../../../actions/context.ts';
import {sendMessage} from '../../../actions/messages.ts';
import {notify} from '../../../actions/notify.ts';
import {createSession} from '../../../actions/sessions.ts';
import {firstWords} from '../../../domain/sessions/activity.ts';
import {type Dialog, newSessionDraft} from '../../../state/view/dialogs.ts';
import {setView} from '../../../state/view/view.ts';
import {editorText} from '../../../text/editor/editor.ts';
import {closeCompletion} from '../../composer/completions.ts';
import {
	afterSending,
	composerAt,
	composerOf,
	draftOf,
	isBlank,
	joinedDrafts,
	setComposer,
} from '../../composer/composers.ts';
import {strings as composerStrings} from '../../composer/strings.ts';
import {type Opened, startTypeAhead} from '../../composer/type-ahead.ts';
import {showNewSession, showSeveral} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import {checkCwd} from '../form/form-checks.ts';
import {settingsDraft} from '../form/session-forms.ts';
import {agentOf, change, computerOf, isShell, type NewSessionState} from './new-session-state.ts';

/** What the embedded service takes, UTF-16 units. */
const maxTitle = 200;

/** Creates the session and sends it the text. On failure, the text is back in the dialog, with the reason. */
export async function startSession(parts: AppParts): Promise<void> {
	const state = parts.view.getState().dialogs.findLast(dialog => dialog.kind === 'new-session');
	const composer = parts.composers.getState().bySession.get(newSessionDraft);
	if (!state || state.isBusy || !composer) return;
	const folder = editorText(state.folder).trim();
	const wrong = checkCwd(folder);
	if (wrong !== undefined) {
		change(parts.view, now => ({...now, part: 'folder', problem: wrong}));
		return;
	}
	if (isBlank(composer)) {
		change(parts.view, now => ({...now, part: 'words', problem: 'Write what it should do first.'}));
		return;
	}
	// Another program may have sent this draft in the meantime.
	if (!parts.drafts.saveAndRefresh(newSessionDraft)) {
		change(parts.view, now => ({...now, part: 'words', problem: composerStrings.changedElsewhere}));
		return;
	}
	const {view} = parts;
	const {draftPlace: place} = view.getState();
	const isThis = (dialog: Dialog | undefined) =>
		dialog?.kind === 'new-session' && dialog.opening === state.opening;
	const changeThis = (next: (now: NewSessionState) => NewSessionState) =>
		change(view, now => (isThis(now) ? next(now) : now));
	const draft = draftOf(composer);
	const start = async (): Promise<Opened> => {
		const failed = (...reasons: (string | undefined)[]): Opened => {
			finishSending(parts, draft, false);
			changeThis(now => ({...now, isBusy: false, problem: reasons.filter(Boolean).join(' ')}));
			return {isOpen: false};
		};
		const computerId = await computerOf(parts, state);
		if (computerId === undefined) return failed('There is no computer to run it on.');
		const agent = agentOf(parts, state);
		const values = {computerId, cwd: folder || undefined, agent: agent || undefined};
		const settings = state.settings && settingsDraft(state.settings, isShell(parts.profile, agent));
		const count = Number(state.settings?.worktree) || 1;
		const ids: string[] = [];
		while (ids.length < count) {
			const number = ids.length + 1;
			// The number comes first: lists cut the end of a title.
			const numbered = `${number}/${count} ${firstWords(draft.text)}`.slice(0, maxTitle).toWellFormed();
			const title = count > 1 && {title: numbered.trim()};
			const started = count === 1 ? 'Session started' : `${number} of ${count} sessions started`;
			const created = await createSession(parts.actions, {...values, ...settings, ...title}, started);
			if (!created.isDone && ids.length === 0) return failed(created.what, created.hint);
			if (!created.isDone) {
				notify(parts.actions, 'bad', `${ids.length} of ${count} sessions were created. ${created.what}`);
				break;
			}
			ids.push(created.value.sessionId);
		}
		const [sessionId = ''] = ids;
		const sent = ids.filter(id => sendMessage(parts.actions, id, draft));
		finishSending(parts, draft, sent.length > 0);
		const isOpen = isThis(view.getState().dialogs.at(-1));
		setView(view, ({draftPlace, ...now}) => ({
			...now,
			// Another draft may have been begun since.
			draftPlace: draftPlace === place ? undefined : draftPlace,
			dialogs: now.dialogs.filter(dialog => !isThis(dialog)),
		}));
		if (count === 1 || !isOpen) return {isOpen: showNewSession(parts, sessionId, !isOpen), sessionId};
		showSeveral(parts, ids);
		return {isOpen: false, sessionId};
	};
	const {sending = []} = composer;
	setComposer(parts.composers, newSessionDraft, {
		...afterSending(composer, draft.text),
		sending: [...sending, draft],
	});
	closeCompletion(view);
	changeThis(({problem: _, ...now}) => ({...now, isBusy: true, sent: draft.text}));
	const starting = start();
	startTypeAhead(parts, starting);
	await starting;
}

/** Drops a draft that its session has, or puts it back before what was typed since. */
function finishSending({composers, drafts}: AppParts, draft: Draft, isSent: boolean): void {
	const {sending = [], ...now} = composerAt(composers, newSessionDraft) ?? composerOf(undefined, []);
	setComposer(composers, newSessionDraft, {
		...(isSent ? now : composerOf(joinedDrafts([draft, draftOf(now)]), now.editor.history)),
		sending: sending.filter(one => one !== draft),
	});
	drafts.changed(newSessionDraft);
	drafts.flush();
}
