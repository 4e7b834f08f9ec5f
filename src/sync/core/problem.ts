import {isServiceError, RateLimitedError} from '../../api/errors.ts';
import type {Problem} from '../../state/fleet.ts';

/** Converts an error for display. Its text is raw: the screen cleans it when drawing. */
export function problemOf(error: unknown, at: number): Problem {
	if (error instanceof RateLimitedError) {
		// A number of seconds would soon be wrong on the screen.
		const until = new Date(at + error.retryAfter).toTimeString().slice(0, 8);
		return {what: error.what, hint: `Nothing is sent before ${until}.`, at};
	}
	if (isServiceError(error)) return {what: error.what, hint: error.hint, at};
	if (error instanceof Error) {
		const hint = 'hint' in error && typeof error.hint === 'string' ? error.hint : undefined;
		return {what: error.message, hint: hint || undefined, at};
	}
	return {what: String(error), at};
}
