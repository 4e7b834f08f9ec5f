import {randomUUID} from 'node:crypto';
import {realpathSync, statSync} from 'node:fs';
import {homedir} from 'node:os';
import {join, relative, resolve} from 'node:path';
import {z} from 'zod';
import {cwdLength} from '../../domain/limits.ts';
import {agentRoot} from '../../domain/sessions/agent-request.ts';
import {
	type PermissionMode,
	permissionModes,
	type Session,
	sessionVariables,
} from '../../domain/sessions/session.ts';
import type {FolderSummary} from '../../domain/sessions/work-folder.ts';
import {isAgent} from '../agents/agents.ts';
import type {LocalContext} from '../context.ts';
import {parseBody, parseQuery, text} from '../http/fields.ts';
import {badField, get, notFound, patch, post, Refusal, type Route} from '../http/router.ts';
import {isMachine} from '../machines/machines.ts';
import type {StoredComputer} from '../storage/computers.ts';
import type {StoredSession} from '../storage/sessions.ts';
import {earlierMessages} from '../turns/earlier-messages.ts';
import {commitAll, hasPullRequests, openPullRequest} from '../work-folder/commit.ts';
import {readWorkingDiff} from '../work-folder/read-diff.ts';
import {addWorktree, removeWorktree} from '../work-folder/worktrees.ts';
import {findComputer, usualFolder} from './computers.ts';

/** Settings a client may send; response-only settings are rejected. */
const settings = z.strictObject({
	model: z.string().optional(),
	specModeModel: z.string().optional(),
	providerLockTimestamp: z.string().optional(),
	assistantActiveTimeMs: z.number().optional(),
	childInclusiveTokenUsageBySessionId: z.record(z.string(), z.unknown()).optional(),
	archivedAt: z.string().optional(),
	tags: z
		.array(z.strictObject({name: z.string(), metadata: z.record(z.string(), z.unknown()).optional()}))
		.optional(),
	enabledToolIds: z.array(z.string()).optional(),
	disabledToolIds: z.array(z.string()).optional(),
});

/** Longest value of a variable, UTF-16 units: what Linux takes in one. */
const maxVariable = 128 * 1024;

const createBody = z.strictObject({
	computerId: z.string().min(1),
	cwd: text(cwdLength.min, cwdLength.max).optional(),
	sessionSettings: settings.optional(),
	// Not in the contract: an offer of this service alone.
	agent: z.string().refine(isAgent, {error: 'names no agent'}).optional(),
	mode: z.enum(permissionModes).optional(),
	worktree: z.union([z.boolean(), z.literal('if-possible')]).optional(),
	resume: z
		.string()
		.regex(/^[\w-]{1,128}$/, {error: 'is no id of a conversation'})
		.optional(),
	title: text(1, 200).optional(),
	environment: z.partialRecord(z.enum(sessionVariables), z.string().max(maxVariable)).optional(),
});

const updateBody = z.strictObject({
	sessionSettings: settings.optional(),
	mode: z.enum(permissionModes).optional(),
});

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

export function sessionRoutes(context: LocalContext): Route[] {
	const {storage, machines} = context;
	return [
		post('/api/v0/sessions', 201, async ({body}) => {
			const draft = parseBody(createBody, body);
			const computer = findComputer(context, draft.computerId);
			if (isMachine(computer)) return machines.createSession(computer, draft);
			const id = randomUUID();
			const cwd = findFolder(context, computer, draft.cwd);
			const agent = draft.agent ?? context.agent.name;
			refuseSecondContinuation(context, agent, draft.resume);
			const isRequired = draft.worktree === true;
			const newWorktree = draft.worktree
				? await addWorktree(context, {sessionId: id, cwd, isRequired})
				: undefined;
			const {missing, ...place} = newWorktree ?? {};
			const earlier = draft.resume === undefined ? [] : earlierMessages({agent, id: draft.resume, cwd});
			try {
				storage.transaction(() => {
					// Another program may have been first.
					refuseSecondContinuation(context, agent, draft.resume);
					storage.sessions.add({
						id,
						computerId: computer.id,
						cwd,
						...place,
						settings: draft.sessionSettings ?? {},
						isInstall: false,
						agent,
						mode: draft.mode ?? 'ask',
						title: draft.title,
						agentSession: draft.resume,
						environment: draft.environment,
					});
					for (const message of earlier) storage.messages.add({id: randomUUID(), sessionId: id, ...message});
					// Else, when the last of them was written.
					storage.sessions.update(id, {updatedAt: Date.now()});
					if (missing !== undefined)
						storage.messages.add({
							id: randomUUID(),
							sessionId: id,
							role: 'assistant',
							text: `[${missing}]`,
							isError: true,
						});
				});
			} catch (error) {
				// The reason counts more than a work tree that can't be removed.
				if (newWorktree) await removeWorktree(context, newWorktree.worktree, true).catch(() => {});
				throw error;
			}
			if (newWorktree?.worktree.setup !== undefined) context.turns.wake(id);
			const session = storage.sessions.get(id);
			return session && (await toSession(session, context));
		}),
		patch('/api/v0/sessions/:sessionId', async ({params, body}) => {
			const session = findSession(context, params.sessionId);
			const {sessionSettings, mode} = parseBody(updateBody, body);
			if (mode) await changeMode(context, session, mode);
			if (sessionSettings)
				storage.sessions.update(session.id, {
					settings: {...session.settings, ...sessionSettings},
					updatedAt: Date.now(),
				});
			return toSession(storage.sessions.get(session.id) ?? session, context);
		}),
		...workFolderRoutes(context),
	];
}

/** Serves what changed in the folders that sessions work in. Not in the contract. */
function workFolderRoutes(context: LocalContext): Route[] {
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
			const removal = await removeWorktree(context, session.worktree, isForced);
			if (removal.isRemoved && session.worktree)
				context.storage.sessions.update(session.id, {worktree: {...session.worktree, isRemoved: true}});
			return removal;
		}),
	];
}

/** Throws `Refusal` with the client's reason if it doesn't take the mode. */
async function changeMode(context: LocalContext, {id, agent}: StoredSession, mode: PermissionMode) {
	const {open} = agent === undefined ? context.agent : context.findAgent(agent);
	if (!open) throw badField('mode', 'is only for sessions whose agent is a client, such as claude');
	await context.conversations.setMode(id, mode).catch((error: Error) => {
		throw new Refusal(409, `Mode unchanged: ${error.message}`);
	});
}

/** Throws `Refusal` 409 if a session already has the conversation: two agents would write to one transcript. */
function refuseSecondContinuation({storage}: LocalContext, agent: string, resume: string | undefined): void {
	const other = resume === undefined ? undefined : storage.sessions.continuing(agent, resume);
	if (other === undefined) return;
	throw new Refusal(
		409,
		`session ${other} already continues this conversation: write to it, or archive it first`,
	);
}

/** Throws `Refusal` 404 for an unknown session. */
export function findSession({storage}: LocalContext, id = ''): StoredSession {
	const session = storage.sessions.get(id);
	if (!session) throw notFound('session', id);
	return session;
}

/** Resolves a new session's folder: absolute, from `~`, or relative to the computer's workspace. */
function findFolder({storage}: LocalContext, computer: StoredComputer, cwd: string | undefined): string {
	if (cwd === undefined) return usualFolder(computer, storage.computers.steps(computer.id));
	const folder = folderOn(computer, cwd);
	try {
		if (statSync(folder).isDirectory()) return realpathSync(folder);
	} catch {
		// An inaccessible folder counts as missing.
	}
	throw new Refusal(400, `${folder} is not a folder on ${computer.name}`);
}

export function folderOn({workspace}: StoredComputer, folder: string): string {
	return resolve(workspace, folder.replace(/^~(?=\/|$)/, homedir()));
}

async function toSession(
	session: StoredSession,
	{storage, agent, folderSummaries}: LocalContext,
): Promise<Session> {
	const workFolder = withWorktree(await folderSummaries.of(session), session);
	const tokenUsage = storage.usage.tokensOfSession(session.id);
	return {
		sessionId: session.id,
		status: session.status,
		messageCount: session.messageCount,
		createdAt: session.createdAt,
		updatedAt: session.updatedAt,
		title: session.title,
		completedAt: session.status === 'idle' ? session.completedAt : undefined,
		computerId: session.computerId,
		sessionSettings: {...session.settings, tokenUsage},
		agent: session.agent ?? agent.name,
		mode: session.mode ?? 'ask',
		cwd: session.cwd,
		conversation: session.agentSession,
		context: session.context,
		limitedUntil: session.limitedUntil,
		subagents: session.subagents || undefined,
		workFolder,
	};
}

/** Adds a session's work tree, or the one it had, as far as known without asking git. */
function withWorktree(
	summary: FolderSummary | undefined,
	{worktree, cwd}: StoredSession,
): FolderSummary | undefined {
	if (!worktree) return summary;
	const {path, repository, branch, isRemoved} = worktree;
	const sourceFolder = join(repository, relative(path, cwd));
	return isRemoved ? {...summary, sourceFolder} : {branch, ...summary, isWorktree: true, cwd, sourceFolder};
}
