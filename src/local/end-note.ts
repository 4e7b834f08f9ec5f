import {errorCode} from './local-error.ts';
import type {Ended} from './process-group.ts';

/** The last line of an answer whose program failed; undefined if it succeeded. */
export function endNote(program: string, {code, signal, error}: Ended): string | undefined {
	if (error)
		return errorCode(error) === 'ENOENT'
			? `[${program} was not found on PATH: install it, or choose another agent]`
			: `[${program} could not be started: ${error.message}]`;
	if (signal) return `[ended by ${signal}]`;
	return code === 0 ? undefined : `[exit ${code}]`;
}
