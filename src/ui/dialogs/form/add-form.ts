import {addComputer} from '../../../actions/computers.ts';
import {done, type Result} from '../../../actions/notify.ts';
import {addSession} from '../../../actions/sessions.ts';
import type {Shown} from '../../../state/view/view.ts';
import {showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form, FormResult} from './form.ts';
import {ifBlank} from './form-checks.ts';
import {strings} from './strings.ts';

const text = strings.add;

/** Adds a computer or session that the service has, by its id. */
export const addForm =
	(what: 'computer' | 'session') =>
	(parts: AppParts): Form => ({
		...text.form,
		startsAt: 'id',
		fields: () => [
			{
				name: 'what',
				...text.what,
				start: what,
				choices: [
					{value: 'computer', label: text.computer, key: 'c'},
					{value: 'session', label: text.session, key: 's'},
				],
			},
			{name: 'id', ...text.id, start: '', check: ifBlank(text.noId)},
		],
		run: async ({what, id = ''}) =>
			what === 'session'
				? showing(parts, 'session', await addSession(parts.actions, id))
				: showing(parts, 'computer', await addComputer(parts.actions, id)),
	});

/** Shows the session or computer, whose id is the result, once the form is closed. */
export function showing(parts: AppParts, kind: Shown['kind'], result: Result<string>): FormResult {
	if (!result.isDone) return result;
	const shown = {kind, id: result.value};
	return done(() => void showResult(parts, shown, false));
}
