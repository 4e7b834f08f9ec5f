import {z} from 'zod';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, parseQuery, text} from '../http/fields.ts';
import {Refusal} from '../http/refusal.ts';
import {get, post, type Route} from '../http/router.ts';
import {commitAll, hasPullRequests, openPullRequest} from '../work-folder/commit.ts';
import {readWorkingDiff} from '../work-folder/read-diff.ts';
import {removeWorktree} from '../work-folder/worktrees.ts';
import {findSession} from './sessions.ts';

const maxTitle = 250;
const maxWords = 16 * 1024;
const diffQuery = z.strictObject({since: z.literal('base').optional()});
const commitBody = z.strictObject({
	diffId: z.string(),
	message: text(1, maxWords),
	except: z.array(z.string()).optional(),
});
const requestBody = z.strictObject({title: text(1, maxTitle), body: text(0, maxWords)});
const removeBody = z.strictObject({isForced: z.boolean()});
const sessionPath = `${agentRoot}/sessions/:sessionId`;

/** Serves what changed in the folders that sessions work in. Not in the contract. */
export function workFolderRoutes(context: LocalContext): Route[] {
	return [
		get(`${sessionPath}/diff`, async ({params, query}) => {
			const isSinceBase = parseQuery(diffQuery, query).since === 'base';
			const {cwd} = findSession(context, params.sessionId);
			const diff = await readWorkingDiff(context, cwd, {hasPatches: true, isSinceBase});
			if (!isSinceBase) context.folderSummaries.record(diff);
			return {...diff, hasPullRequests: hasPullRequests()};
		}),
		post(`${sessionPath}/commit`, 200, ({params, body}) =>
			commitAll(context, findSession(context, params.sessionId).cwd, parseBody(commitBody, body)),
		),
		post(`${sessionPath}/pull-request`, 200, ({params, body}) =>
			openPullRequest(context, findSession(context, params.sessionId).cwd, parseBody(requestBody, body)),
		),
		post(`${sessionPath}/worktree/remove`, 200, async ({params, body}) => {
			const {isForced} = parseBody(removeBody, body);
			const session = findSession(context, params.sessionId);
			if (session.status !== 'idle') throw new Refusal(409, 'a turn is running in this work tree');
			const removal = await removeWorktree(context, session, isForced);
			if (removal.isRemoved && session.worktree)
				context.storage.sessions.update(session.id, {worktree: {...session.worktree, isRemoved: true}});
			return removal;
		}),
	];
}
