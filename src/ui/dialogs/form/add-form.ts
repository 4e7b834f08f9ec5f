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

/** Adds computers or sessions that the service has, by their ids. */
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
		async run({what, id = ''}) {
			const kind = what === 'session' ? 'session' : 'computer';
			const ids = id.split(/[\s,]+/).filter(Boolean);
			let result: Result<string> = done('');
			for (const one of ids) {
				result = await (kind === 'session' ? addSession : addComputer)(parts.actions, one);
				if (result.isDone) continue;
				return ids.length === 1 ? result : {...result, what: text.failed(one, result.what)};
			}
			return showing(parts, kind, result);
		},
	});

/** Shows the session or computer, whose id is the result, once the form is closed. */
export function showing(parts: AppParts, kind: Shown['kind'], result: Result<string>): FormResult {
	if (!result.isDone) return result;
	const shown = {kind, id: result.value};
	return done(() => showResult(parts, shown, false));
}
