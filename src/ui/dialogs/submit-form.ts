import {addComputer} from '../../actions/add-computer.ts';
import {addSession} from '../../actions/add-session.ts';
import type {ActionContext} from '../../actions/context.ts';
import {createComputer} from '../../actions/create-computer.ts';
import {createSession} from '../../actions/create-session.ts';
import {done, type Result} from '../../actions/result.ts';
import {updateComputer} from '../../actions/update-computer.ts';
import type {ComputerDraft, ComputerPatch} from '../../domain/computer.ts';
import type {SessionDraft} from '../../domain/session.ts';
import type {Shown} from '../../state/view.ts';
import {reposOf} from './form-checks.ts';
import type {FormState} from './form-state.ts';

/** Does what a form is for; answers what is to be shown then. */
export async function submitForm(actions: ActionContext, form: FormState): Promise<Result<Shown>> {
	const {request, values} = form;
	switch (request.name) {
		case 'new-computer':
			return shown('computer', await createComputer(actions, computerDraft(values)), ({id}) => id);
		case 'edit-computer': {
			const patch = computerPatch(values);
			return shown('computer', await updateComputer(actions, request.computerId, patch), ({id}) => id);
		}
		case 'new-session':
			return shown('session', await createSession(actions, sessionDraft(values)), ({sessionId}) => sessionId);
		case 'add':
			return values.what === 'session'
				? shown('session', addSession(actions, values.id ?? ''), id => id)
				: shown('computer', addComputer(actions, values.id ?? ''), id => id);
	}
}

function shown<T>(kind: Shown['kind'], result: Result<T>, idOf: (value: T) => string): Result<Shown> {
	return result.isDone ? done({kind, id: idOf(result.value)}) : result;
}

type Values = FormState['values'];

function computerDraft(values: Values): ComputerDraft {
	const repos = reposOf(values.repos ?? '');
	const {provider} = values;
	const hostId = values.hostId?.trim();
	return {
		name: values.name ?? '',
		remoteUser: values.remoteUser ?? '',
		...(repos.length > 0 && {repos}),
		...(repos.length > 0 && {autoInstallDeps: values.autoInstallDeps === 'yes'}),
		...((provider === 'byom' || provider === 'e2b') && {provider}),
		...(hostId && {hostId}),
	};
}

function computerPatch(values: Values): ComputerPatch {
	const hostId = values.hostId?.trim();
	return {name: values.name ?? '', remoteUser: values.remoteUser ?? '', ...(hostId && {hostId})};
}

function sessionDraft(values: Values): SessionDraft {
	const model = values.model?.trim();
	return {
		computerId: values.computerId ?? '',
		...(values.cwd && {cwd: values.cwd}),
		...(model && {sessionSettings: {model}}),
	};
}
