import {isServiceError} from '../api/errors.ts';
import type {WorkingDiff} from '../domain/sessions/work-folder.ts';
import type {ActionContext} from './context.ts';
import {done, type Result} from './result.ts';

/** What changed in a session's folder since its last commit. */
export async function readWorkingDiff(
	{service}: ActionContext,
	sessionId: string,
): Promise<Result<WorkingDiff>> {
	try {
		return done(await service.workFolders.diff(sessionId));
	} catch (error) {
		if (!isServiceError(error)) throw error;
		return {isDone: false, what: error.what, hint: error.hint};
	}
}
