import {z} from 'zod';
import {agentRoot} from '../domain/sessions/agent-request.ts';
import {
	type CommitResult,
	type CommitValues,
	type PullRequestResult,
	type WorkingDiff,
	type WorktreeRemoval,
	workFolderOffer,
} from '../domain/sessions/work-folder.ts';
import type {CallOptions, Client} from './client.ts';
import {pathId} from './request-schemas.ts';
import {
	lenientBoolean,
	lenientList,
	lenientNumber,
	lenientObject,
	lenientText,
	readOne,
} from './response-schemas.ts';

const changedFile = lenientObject({
	path: z.string(),
	from: lenientText,
	kind: lenientText,
	added: lenientNumber,
	removed: lenientNumber,
	hasMoreLines: lenientBoolean,
	isBinary: lenientBoolean,
	patch: lenientText,
	isCut: lenientBoolean,
	note: lenientText,
});
const workingDiff = lenientObject({
	id: lenientText,
	folder: lenientText,
	branch: lenientText,
	base: lenientText,
	commits: lenientNumber,
	added: lenientNumber,
	removed: lenientNumber,
	hasMoreLines: lenientBoolean,
	files: lenientList(changedFile),
	repository: lenientText,
	leftOut: lenientNumber,
	hasNoBase: lenientBoolean,
	hasPullRequests: lenientBoolean,
	problem: lenientText,
	detail: lenientText,
});

const worktreeRemoval = lenientObject({
	isRemoved: lenientBoolean,
	branch: lenientText,
	changes: lenientNumber,
	commits: lenientNumber,
	isBranchKept: lenientBoolean,
});

const commitResult = lenientObject({commit: lenientText, branch: lenientText, problem: lenientText});
const pullRequest = lenientObject({
	url: lenientText,
	branch: lenientText,
	isPushed: lenientBoolean,
	problem: lenientText,
});

const sessionPath = (sessionId: string) => `${agentRoot}/sessions/${pathId(sessionId, 'sessionId')}`;

/** The folders that sessions work in. Not in the contract: only the embedded service offers them. */
export function createWorkFolders(client: Client) {
	return {
		/** What changed in a session's folder since its last commit, or with `isSinceBase` since its base branch. */
		diff: async (
			sessionId: string,
			{isSinceBase, ...options}: CallOptions & {readonly isSinceBase?: boolean} = {},
		): Promise<WorkingDiff> =>
			client.call({
				resource: 'workFolders.diff',
				offer: workFolderOffer,
				method: 'GET',
				path: `${sessionPath(sessionId)}/diff`,
				query: {since: isSinceBase ? 'base' : undefined},
				decode: response => readOne(response, workingDiff, 'diff'),
				...options,
			}),
		/**
		 * Commits all changes but those of the paths in `except`, if they are still those of the diff with this id. Runs
		 * none of the repository's own hooks.
		 */
		commit: async (sessionId: string, values: CommitValues, options?: CallOptions): Promise<CommitResult> =>
			client.call({
				resource: 'workFolders.commit',
				offer: workFolderOffer,
				method: 'POST',
				path: `${sessionPath(sessionId)}/commit`,
				body: values,
				decode: response => readOne(response, commitResult, 'commit'),
				isOnce: true,
				...options,
			}),
		/** Pushes the branch and opens a pull request for it. */
		openPullRequest: async (
			sessionId: string,
			values: {readonly title: string; readonly body: string},
			options?: CallOptions,
		): Promise<PullRequestResult> =>
			client.call({
				resource: 'workFolders.openPullRequest',
				offer: workFolderOffer,
				method: 'POST',
				path: `${sessionPath(sessionId)}/pull-request`,
				body: values,
				decode: response => readOne(response, pullRequest, 'pull request'),
				isOnce: true,
				...options,
			}),
		/** Removes a session's own work tree; unless it is forced, only if nothing would be lost. */
		removeWorktree: async (
			sessionId: string,
			{isForced}: {readonly isForced: boolean},
			options?: CallOptions,
		): Promise<WorktreeRemoval> =>
			client.call({
				resource: 'workFolders.removeWorktree',
				offer: workFolderOffer,
				method: 'POST',
				path: `${sessionPath(sessionId)}/worktree/remove`,
				body: {isForced},
				decode: response => readOne(response, worktreeRemoval, 'result'),
				isOnce: true,
				...options,
			}),
	};
}
