import {isServiceError, ValidationError} from '../api/errors.ts';
import {outcomeOf} from '../api/outcome.ts';
import {addNotice, type Notice} from '../state/notices.ts';
import type {ActionContext} from './context.ts';
import type {Result} from './result.ts';

/** A short word to the user. */
export function notify({stores, clock}: ActionContext, tone: Notice['tone'], text: string): void {
	addNotice(stores.notices, {tone, text, at: clock.now()});
}

/**
 * Tells why something failed, and what to do. `mayExist` is what to say instead when the service may have done it all
 * the same: what was created can't be looked for. What is no failure of a call is a bug and is thrown on.
 */
export function notifyFailure(context: ActionContext, error: unknown, mayExist?: string): Result<never> {
	if (!isServiceError(error)) throw error;
	const isUnknown = mayExist !== undefined && outcomeOf(error) === 'unknown';
	const hint = isUnknown ? mayExist : error.hint;
	notify(context, 'bad', `${error.what} ${hint}`);
	return {
		isDone: false,
		what: error.what,
		hint,
		...(error instanceof ValidationError && {field: error.field}),
	};
}
