import {z} from 'zod';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {parseBody} from '../http/fields.ts';
import {Refusal} from '../http/refusal.ts';
import {get, post, type Route} from '../http/router.ts';
import {readWorkingDiff} from '../work-folder/read-diff.ts';
import {removeWorktree} from '../work-folder/worktrees.ts';
import {findSession} from './sessions.ts';

const removeBody = z.strictObject({isForced: z.boolean()});
const sessionPath = `${agentRoot}/sessions/:sessionId`;

/** Serves what changed in the folders that sessions work in. Not in the contract. */
export function workFolderRoutes(context: LocalContext): Route[] {
	return [
		get(`${sessionPath}/diff`, ({params}) =>
			readWorkingDiff(context, findSession(context, params.sessionId).cwd, {hasPatches: true}),
		),
		post(`${sessionPath}/worktree/remove`, 200, async ({params, body}) => {
			const {isForced} = parseBody(removeBody, body);
			const session = findSession(context, params.sessionId);
			if (session.status !== 'idle') throw new Refusal(409, 'a turn is running in this work tree');
			const removal = await removeWorktree(context, session, isForced);
			if (removal.isRemoved) context.storage.sessions.forgetWorktree(session.id);
			return removal;
		}),
	];
}
