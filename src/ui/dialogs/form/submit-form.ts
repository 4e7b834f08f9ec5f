import {addComputer, createComputer, updateComputer} from '../../../actions/computers.ts';
import {done, type Result} from '../../../actions/result.ts';
import {addSession, createSession, nameSession, updateSession} from '../../../actions/sessions.ts';
import {failureText, tagSessions} from '../../../actions/several-sessions.ts';
import {commitChanges, openPullRequest} from '../../../actions/work-folder.ts';
import {settingsPatch} from '../../../domain/sessions/session-settings.ts';
import {unmarked} from '../../../state/sessions/marked-sessions.ts';
import type {ServiceForm} from '../../../state/view/dialogs.ts';
import {type Shown, setView} from '../../../state/view/view.ts';
import {offerUndo} from '../../offer-undo.ts';
import type {AppParts} from '../../use-app.ts';
import {listsNow} from '../../use-lists.ts';
import {computerDraft, computerPatch} from './computer-fields.ts';
import {submitDays} from './days-form.ts';
import {submitExport} from './export-form.ts';
import {type FormState, usedValues} from './form-state.ts';
import {type ListName, listOf, sessionDraft, typedSettings} from './session-fields.ts';

/** Submits a form; returns what to show next, if anything. */
export async function submitForm(
	parts: AppParts,
	form: FormState & {readonly request: ServiceForm},
): Promise<Result<Shown | undefined>> {
	const {actions} = parts;
	const {request, values} = form;
	switch (request.name) {
		case 'new-computer':
			return asShown('computer', await createComputer(actions, computerDraft(values)), ({id}) => id);
		case 'edit-computer': {
			const patch = computerPatch(values, form.spec.fields);
			if (!patch) return done({kind: 'computer', id: request.computerId});
			return asShown('computer', await updateComputer(actions, request.computerId, patch), ({id}) => id);
		}
		case 'new-session':
			return asShown(
				'session',
				await createSession(actions, sessionDraft(usedValues(form))),
				({sessionId}) => sessionId,
			);
		case 'rename-session': {
			const subject = {kind: 'session', id: request.sessionId} as const;
			offerUndo(
				parts,
				{action: 'rename', subjects: [subject]},
				nameSession(actions, subject.id, values.name ?? ''),
			);
			return done(subject);
		}
		case 'edit-session':
			return asShown('session', await changeSession(parts, request.sessionId, form), id => id);
		case 'tag-sessions':
			return submitTags(parts, request.sessionIds, values);
		case 'commit': {
			const {sessionId, diffId} = request;
			const message = [values.message, values.more].flatMap(words => words?.trim() || []).join('\n\n');
			return commitChanges(actions, sessionId, {diffId, message});
		}
		case 'pull-request': {
			const {title = '', body = ''} = values;
			return openPullRequest(actions, request.sessionId, {title: title.trim(), body});
		}
		case 'export':
			return submitExport(parts, request, values);
		case 'days':
			return submitDays(parts.view, values);
		case 'add':
			return values.what === 'session'
				? asShown('session', await addSession(actions, values.id ?? ''), id => id)
				: asShown('computer', await addComputer(actions, values.id ?? ''), id => id);
	}
}

/** Changes tags. Sessions where that fails stay marked; if it fails for all, the form stays open. */
async function submitTags(
	parts: AppParts,
	ids: readonly string[],
	{add = '', remove = ''}: FormState['values'],
): Promise<Result<undefined>> {
	const {sessionsById} = listsNow(parts).all;
	const targets = ids.flatMap(id => sessionsById.get(id) ?? []);
	const change = {add: listOf(add), remove: listOf(remove)};
	const {done: tagged, failed, changed, undo} = await tagSessions(parts.actions, targets, change);
	offerUndo(parts, {action: 'tag', subjects: changed.map(id => ({kind: 'session', id}))}, undo);
	if (tagged.length === 0 && failed.length > 0) return {isDone: false, what: failureText(failed)};
	setView(parts.view, view => unmarked(view, tagged));
	return done(undefined);
}

/** What to show of a session or computer that was created or changed. */
function asShown<T>(kind: Shown['kind'], result: Result<T>, idOf: (value: T) => string): Result<Shown> {
	return result.isDone ? done({kind, id: idOf(result.value)}) : result;
}

/** Saves the local name immediately; calls the service only for settings that changed. */
async function changeSession(
	parts: AppParts,
	id: string,
	{values, spec}: FormState,
): Promise<Result<string>> {
	const {actions} = parts;
	const known = actions.stores.fleet.getState().sessions.get(id);
	const name = values.name?.trim() ?? '';
	if (name !== (known?.name ?? ''))
		offerUndo(parts, {action: 'rename', subjects: [{kind: 'session', id}]}, nameSession(actions, id, name));
	const settings = known?.session?.sessionSettings;
	const before = {...settings, tags: settings?.tags?.map(({name}) => name)};
	/** An unedited list keeps its items, even those that contain a comma. */
	const itemsOf = (name: ListName) =>
		values[name] === spec.fields.find(field => field.name === name)?.start
			? (before[name] ?? [])
			: listOf(values[name] ?? '');
	const patch = settingsPatch(settings, typedSettings(values, itemsOf));
	if (!patch) return done(id);
	const result = await updateSession(actions, id, patch);
	return result.isDone ? done(id) : result;
}
