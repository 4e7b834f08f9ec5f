import {addComputer} from '../../../actions/computers.ts';
import {done, notify, type Result} from '../../../actions/notify.ts';
import {addSession} from '../../../actions/sessions.ts';
import {strings} from '../../../actions/strings.ts';
import type {Shown} from '../../../state/view/view.ts';
import {showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import type {Form, FormResult} from './form.ts';
import {ifBlank} from './form-checks.ts';

/** Adds computers or sessions that the service has, by their ids. */
export const addForm =
	(what: 'computer' | 'session') =>
	(parts: AppParts): Form => ({
		title: 'Add by id',
		submit: 'Add',
		startsAt: 'id',
		fields: () => [
			{
				name: 'what',
				label: 'Type',
				hint: 'c computer, s session',
				start: what,
				choices: [
					{value: 'computer', label: 'computer'},
					{value: 'session', label: 'session'},
				],
			},
			{
				name: 'id',
				label: 'Id',
				hint: 'one or several, as the web app shows them',
				start: '',
				check: ifBlank('The id is missing'),
			},
		],
		async run({what, id = ''}) {
			const kind = what === 'session' ? 'session' : 'computer';
			const ids = [...new Set(id.split(/[\s,]+/).filter(Boolean))];
			let result: Result<string> = done('');
			for (const one of ids) {
				result = await (kind === 'session' ? addSession : addComputer)(parts.actions, one);
				if (result.isDone) continue;
				return ids.length === 1 ? result : {...result, what: `${one}: ${result.what}`};
			}
			notify(parts.actions, 'good', strings[`${kind}s` as const].added(ids.length));
			return showing(parts, kind, result);
		},
	});

/** Shows the session or computer, whose id is the result, once the form is closed. */
export function showing(parts: AppParts, kind: Shown['kind'], result: Result<string>): FormResult {
	if (!result.isDone) return result;
	const shown = {kind, id: result.value};
	return done(() => showResult(parts, shown, false));
}
