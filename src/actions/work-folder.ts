import {isServiceError} from '../api/errors.ts';
import {
	type CommitValues,
	folderSummary,
	type WorkingDiff,
	type WorktreeRemoval,
} from '../domain/sessions/work-folder.ts';
import type {ActionContext} from './context.ts';
import {done, notify, notifyFailure, type Result} from './notify.ts';

/** What changed in a session's folder since its last commit, or since its base branch. */
export async function readWorkingDiff(
	{service, engine}: ActionContext,
	sessionId: string,
	isSinceBase: boolean,
): Promise<Result<WorkingDiff>> {
	try {
		const diff = await service.workFolders.diff(sessionId, {isSinceBase});
		if (!isSinceBase) engine.registry.recordFolder(folderSummary(diff));
		return done(diff);
	} catch (error) {
		if (!isServiceError(error)) throw error;
		return {isDone: false, what: error.what, hint: error.hint};
	}
}

/** Removes a session's own work tree and says so; unless it is forced, only if nothing in it would be lost. */
export async function removeSessionWorktree(
	context: ActionContext,
	sessionId: string,
	isForced: boolean,
): Promise<Result<WorktreeRemoval>> {
	try {
		const removal = await context.service.workFolders.removeWorktree(sessionId, {isForced});
		const {isRemoved, branch = '', isBranchKept} = removal;
		if (isRemoved)
			notify(
				context,
				'good',
				isBranchKept === true
					? `Worktree removed; its commits are in the branch ${branch}`
					: `Worktree and branch ${branch} removed`,
			);
		return done(removal);
	} catch (error) {
		return notifyFailure(context, error, 'It may have been removed: refresh to check.');
	} finally {
		context.engine.refresh(sessionId);
	}
}

/** Commits what was shown of a session's folder. A reason that git or a hook gives stays in the form. */
export async function commitChanges(
	context: ActionContext,
	sessionId: string,
	values: CommitValues,
): Promise<Result<undefined>> {
	try {
		const {commit = '', branch = '', problem} = await context.service.workFolders.commit(sessionId, values);
		if (problem !== undefined) return {isDone: false, what: problem};
		notify(context, 'good', `Committed ${commit} to ${branch}`);
		return done(undefined);
	} catch (error) {
		return notifyFailure(context, error, 'It may have been committed: refresh the changes to check.');
	} finally {
		context.engine.refresh(sessionId);
	}
}

/** Pushes the branch of a session's folder and opens a pull request for it. */
export async function openPullRequest(
	context: ActionContext,
	sessionId: string,
	values: {readonly title: string; readonly body: string},
): Promise<Result<undefined>> {
	try {
		const {
			url,
			branch = '',
			isPushed,
			problem,
		} = await context.service.workFolders.openPullRequest(sessionId, values);
		if (problem !== undefined)
			return {
				isDone: false,
				what: problem,
				hint: isPushed ? 'The branch is pushed, but no pull request is open.' : undefined,
			};
		notify(context, 'good', `Pull request opened: ${url ?? branch}`);
		return done(undefined);
	} catch (error) {
		return notifyFailure(context, error, 'It may be open anyway: check on GitHub.');
	}
}
