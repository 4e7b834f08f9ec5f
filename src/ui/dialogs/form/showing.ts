import {done, type Result} from '../../../actions/result.ts';
import type {Shown} from '../../../state/view/view.ts';
import {showResult} from '../../open-session.ts';
import type {AppParts} from '../../use-app.ts';
import type {FormResult} from './form.ts';

/** Shows the session or computer, whose id is the result, once the form is closed. */
export function showing(parts: AppParts, kind: Shown['kind'], result: Result<string>): FormResult {
	if (!result.isDone) return result;
	const shown = {kind, id: result.value};
	return done(() => void showResult(parts, shown, false));
}
