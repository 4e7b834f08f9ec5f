import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {wireVersion} from '../../hooks/wire.ts';
import type {HookEvent} from '../domain/sessions/signal.ts';
import {planSteps} from '../local/provisioning/provisioning.ts';
import type {StoredItem} from '../local/storage/messages.ts';
import type {Storage} from '../local/storage/open-storage.ts';
import type {SampleSession, Turn} from './beat.ts';
import {models} from './sample-agent.ts';
import {idle, waiting} from './sessions/idle.ts';
import {needing} from './sessions/needing.ts';
import {working} from './sessions/working.ts';

export const sampleSessions: readonly SampleSession[] = [...needing, ...working, waiting, ...idle];

export type SeededSession = {
	readonly id: string;
	readonly computerId: string;
	readonly sample: SampleSession;
	readonly seenId?: string;
};

const minute = 60_000;

export function folderOf({repo, branch}: SampleSession, home: string): string {
	return branch ? join(home, 'worktrees', repo, branch.name) : join(home, repo);
}

/** Stores the computers and sessions of the sample, as a service has them that was used for months. */
export function seed(storage: Storage, home: string, now: number): readonly SeededSession[] {
	return storage.transaction(() => {
		const computerOf = new Map<string, string>();
		for (const computer of computers) {
			const id = seedComputer(storage, computer, home, now);
			for (const repo of computer.repos) computerOf.set(repo, id);
		}
		return sampleSessions.map(sample =>
			seedSession(storage, sample, {home, now, computerId: computerOf.get(sample.repo) ?? ''}),
		);
	});
}

function seedComputer(
	storage: Storage,
	{name, user, hostname, repos, age, failure, isProvisioning}: SampleComputer,
	home: string,
	now: number,
): string {
	const id = randomUUID();
	const urls = repos.map(repo => `https://git.example.org/${repo}.git`);
	storage.computers.add({id, name, remoteUser: user, workspace: home}, planSteps(urls, true));
	const createdAt = now - age * 1440 * minute - 2 * minute;
	storage.computers.update(id, {hostname, createdAt, ...(!isProvisioning && {status: 'active'})});
	let at = createdAt;
	for (const {id: stepId, kind} of storage.computers.steps(id)) {
		if (isProvisioning && (kind === 'clone' || kind === 'install' || kind === 'ready')) break;
		const startedAt = at;
		at += {clone: 34_000, install: 71_000}[kind as string] ?? 1900;
		const hasFailed = kind === 'install' && failure !== undefined;
		const run = {
			startedAt,
			completedAt: at,
			...(hasFailed && {error: `ingest: ${installCommand}\n${failure}`}),
		};
		const output = kind === 'install' ? seedInstall(storage, id, {name, home, at, failure}) : undefined;
		storage.computers.setStep(stepId, {
			...run,
			status: hasFailed ? 'failed' : 'completed',
			installSessionId: output,
		});
	}
	return id;
}

function seedInstall(
	storage: Storage,
	computerId: string,
	{name, home, at, failure}: {name: string; home: string; at: number; failure: string | undefined},
): string {
	const id = randomUUID();
	storage.sessions.add({
		id,
		computerId,
		cwd: home,
		title: `Install on ${name}`,
		settings: {},
		isInstall: true,
	});
	const text = failure ? `ingest $ ${installCommand}\n${failure}` : 'npm ci\nadded 812 packages in 41s';
	storage.messages.add({
		id: randomUUID(),
		sessionId: id,
		role: 'tool',
		text,
		isOutput: true,
		isError: failure !== undefined,
		at,
	});
	storage.sessions.update(id, {createdAt: at - 71_000, updatedAt: at, completedAt: at});
	return id;
}

function seedSession(
	storage: Storage,
	sample: SampleSession,
	{home, now, computerId}: {readonly home: string; readonly now: number; readonly computerId: string},
): SeededSession {
	const id = randomUUID();
	const {title, repo, agent = 'claude', mode = 'ask', tags = [], ago, turn, branch, isArchived} = sample;
	const cwd = folderOf(sample, home);
	const endedAt = now - ago * minute;
	storage.sessions.add({
		id,
		computerId,
		cwd,
		title,
		agent,
		mode,
		isInstall: false,
		settings: {
			model: models[agent],
			tags: tags.length > 0 ? tags.map(name => ({name})) : undefined,
			archivedAt: isArchived ? new Date(endedAt + minute).toISOString() : undefined,
		},
		...(branch && {worktree: {path: cwd, repository: join(home, repo), branch: branch.name}}),
	});
	const ids = turn ? storeTurn(storage, id, turn, endedAt) : [];
	storage.sessions.update(id, {
		createdAt: endedAt - 30 * minute,
		updatedAt: endedAt,
		completedAt: endedAt,
		...(ids.length > 0 && {
			context: {usedTokens: 21_000 + (title.length % 9) * 17_500, windowTokens: 200_000},
		}),
	});
	for (const [index, messageId] of ids.entries()) {
		const [inputTokens, outputTokens] = [9000 + 1700 * index, 600 + 210 * index];
		storage.usage.addTokens({
			at: endedAt,
			sessionId: id,
			messageId,
			model: models[agent] ?? agent,
			inputTokens,
			outputTokens,
			cacheReadTokens: 40_000,
			cacheWriteTokens: 3000,
			cost: inputTokens * 3e-6 + outputTokens * 15e-6 + 0.021,
		});
	}
	if (sample.now)
		storage.messages.add({
			id: randomUUID(),
			sessionId: id,
			role: 'user',
			text: sample.now[0],
			isWaiting: true,
			at: now - 20_000,
		});
	const seenId = ids.at(sample.isUnread ? -2 : -1);
	return {id, computerId, sample, seenId};
}

/** Time between two messages of a stored turn, ms. */
const step = 12_000;

/** Stores a turn that ended at a time (Unix ms), as a turn writer does. Returns the ids of its messages. */
function storeTurn(storage: Storage, sessionId: string, [asked, ...beats]: Turn, endedAt: number): string[] {
	const ids: string[] = [];
	const contents = beats.flatMap(
		(beat): [role: 'assistant' | 'tool', item: StoredItem, isError?: boolean][] => {
			const id = randomUUID();
			if (typeof beat === 'string') return [['assistant', {type: 'text', id, text: beat}]];
			if ('failure' in beat) return [['assistant', {type: 'text', id, text: beat.failure}, true]];
			if ('thought' in beat) return [['assistant', {type: 'thinking', id, thinking: beat.thought}]];
			if ('ask' in beat) return [];
			const {tool: name, input, result: content, isError = false} = beat;
			return [
				['assistant', {type: 'tool_use', id, name, input}],
				['tool', {type: 'tool_result', id: randomUUID(), tool_use_id: id, content, is_error: isError}],
			];
		},
	);
	const parentId = randomUUID();
	const startedAt = endedAt - contents.length * step;
	storage.messages.add({id: parentId, sessionId, role: 'user', text: asked, at: startedAt});
	ids.push(parentId);
	for (const [index, [role, item, isError = false]] of contents.entries()) {
		const id = randomUUID();
		const text = item.type === 'text' ? item.text : '';
		const at = startedAt + (index + 1) * step;
		storage.messages.add({id, sessionId, parentId, role, text, content: [item], isError, at});
		ids.push(id);
	}
	return ids;
}

/** A computer of the sample. Steps of `failed` and `running` end there. */
export type SampleComputer = {
	readonly name: string;
	readonly user: string;
	readonly hostname: string;
	readonly repos: readonly string[];
	/** Days since it was created. */
	readonly age: number;
	/** The output of its install, which failed. */
	readonly failure?: string;
	readonly isProvisioning?: true;
};

const computers: readonly SampleComputer[] = [
	{name: 'build-box', user: 'dev', hostname: 'build-box.internal', repos: ['orders', 'payments'], age: 61},
	{name: 'web-dev', user: 'dev', hostname: 'web-dev.internal', repos: ['storefront', 'docs'], age: 48},
	{name: 'gpu-lab', user: 'ml', hostname: 'gpu-lab.internal', repos: ['ranking'], age: 33},
	{name: 'mac-mini', user: 'build', hostname: 'mac-mini.local', repos: ['mobile'], age: 20},
	{
		name: 'ops-1',
		user: 'ops',
		hostname: 'ops-1.internal',
		repos: ['infra', 'ingest'],
		age: 9,
		failure: `   Compiling openssl-sys v0.9.109
error: failed to run custom build command for \`openssl-sys v0.9.109\`

  Could not find directory of OpenSSL installation, and this \`-sys\` crate cannot
  proceed without this knowledge. If OpenSSL is installed and this crate had
  trouble finding it, you can set the \`OPENSSL_DIR\` environment variable.

  pkg-config exited with status code 1
  Package openssl was not found in the pkg-config search path.

warning: build failed, waiting for other jobs to finish...
[cargo ended with exit code 101]`,
	},
	{
		name: 'data-eu',
		user: 'data',
		hostname: 'data-eu.internal',
		repos: ['warehouse'],
		age: 0,
		isProvisioning: true,
	},
];

/** What an install runs and prints while one looks: the one that failed runs again. */
export const installCommand = 'cargo build --locked';
export const installOutput = [
	'    Updating crates.io index',
	' Downloading crates ...',
	'  Downloaded openssl-sys v0.9.109',
	'  Downloaded arrow v54.2.0',
	'  Downloaded tokio v1.44.1',
	'   Compiling libc v0.2.171',
	'   Compiling openssl-sys v0.9.109',
	'   Compiling tokio v1.44.1',
	'   Compiling arrow v54.2.0',
	'   Compiling ingest v0.4.0',
	'    Finished `dev` profile [unoptimized + debuginfo] target(s) in 1m 21s',
];

const reports: readonly (readonly [session: number, minutesAgo: number, event: string, message?: string])[] =
	[
		[0, 41, 'SessionStart'],
		[0, 40, 'UserPromptSubmit'],
		[1, 33, 'SessionStart'],
		[1, 32, 'UserPromptSubmit'],
		[0, 22, 'Stop'],
		[1, 17, 'Notification', 'Claude needs your permission to use Bash'],
		[1, 16, 'PostToolUse'],
		[0, 12, 'UserPromptSubmit'],
		[1, 5, 'Stop'],
	];
const folders = ['dotfiles', 'blog'];

/** What the hooks of two sessions in other terminals have reported, oldest first. */
export function sampleEvents(home: string, now: number): readonly HookEvent[] {
	const ids = folders.map(() => randomUUID());
	return reports.map(([session, minutesAgo, event, message]) => {
		const ts = now - minutesAgo * 60_000;
		return {
			v: wireVersion,
			id: randomUUID(),
			ts,
			receivedAt: ts + 11,
			delivery: 'socket',
			client: 'claude',
			event,
			pid: 41_207,
			agentPid: 38_116 + session,
			data: {
				session_id: ids[session] ?? '',
				cwd: `${home}/${folders[session]}`,
				...(message && {message, notification_type: 'permission_prompt'}),
			},
		};
	});
}
