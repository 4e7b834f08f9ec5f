import {isServiceError, outcomeOf, ValidationError} from '../api/errors.ts';
import {addNotice, type Notice} from '../state/notices.ts';
import type {ActionContext} from './context.ts';

/** The result of an action. For an expected failure, `what` says what went wrong and `hint` what to do next. */
export type Result<T> =
	| {readonly isDone: true; readonly value: T}
	| {
			readonly isDone: false;
			readonly what: string;
			readonly hint?: string;
			/** Path of the rejected value, if there is one. */
			readonly field?: string;
	  };

export function done<T>(value: T): Result<T> {
	return {isDone: true, value};
}

/** Shows a short notice: until a time, while `isCurrent` returns true, or by default as long as it takes to read. */
export function notify(
	{stores, clock}: ActionContext,
	tone: Notice['tone'],
	text: string,
	end: Pick<Notice, 'until' | 'isCurrent' | 'endsWithNext'> = {},
): void {
	addNotice(stores.notices, {tone, text, at: clock.now(), ...end});
}

/**
 * Shows why something failed and what to do. `mayExist` replaces the hint when the service may have created
 * the object anyway, since it can't be looked up. Rethrows errors that aren't `ServiceError`s: those are
 * bugs.
 */
export function notifyFailure(context: ActionContext, error: unknown, mayExist?: string): Result<never> {
	if (!isServiceError(error)) throw error;
	const isUnknown = mayExist !== undefined && outcomeOf(error) === 'unknown';
	const hint = isUnknown ? mayExist : error.hint;
	notify(context, 'bad', [error.what, hint].filter(Boolean).join(' '));
	return {
		isDone: false,
		what: error.what,
		hint,
		field: error instanceof ValidationError ? error.field : undefined,
	};
}
