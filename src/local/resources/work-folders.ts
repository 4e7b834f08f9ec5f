import {agentRoot} from '../../domain/sessions/agent-request.ts';
import type {LocalContext} from '../context.ts';
import {get, type Route} from '../http/router.ts';
import {readWorkingDiff} from '../work-folder/read-diff.ts';
import {findSession} from './sessions.ts';

const sessionPath = `${agentRoot}/sessions/:sessionId`;

/** Serves what changed in the folders that sessions work in. Not in the contract. */
export function workFolderRoutes(context: LocalContext): Route[] {
	return [
		get(`${sessionPath}/diff`, ({params}) =>
			readWorkingDiff(context, findSession(context, params.sessionId).cwd, {hasPatches: true}),
		),
	];
}
