import {randomUUID} from 'node:crypto';
import {join} from 'node:path';
import {planSteps} from '../local/provisioning/provisioning.ts';
import type {Storage} from '../local/storage/open-storage.ts';
import type {SampleSession} from './beat.ts';
import {computers, type SampleComputer} from './computers.ts';
import {models} from './sample-agent.ts';
import {idle, waiting} from './sessions/idle.ts';
import {needing} from './sessions/needing.ts';
import {working} from './sessions/working.ts';
import {storeTurn} from './store-turn.ts';

export const sampleSessions: readonly SampleSession[] = [...needing, ...working, waiting, ...idle];

export type SeededSession = {
	readonly id: string;
	readonly computerId: string;
	readonly sample: SampleSession;
	readonly seenId?: string;
};

const minute = 60_000;

/** The folder of a session in the home of the demo. */
export function folderOf({repo, branch}: Pick<SampleSession, 'repo' | 'branch'>, home: string): string {
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
			...(hasFailed && {error: `ingest: cargo build --locked\n${failure}`}),
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
	const text = failure ? `ingest $ cargo build --locked\n${failure}` : 'npm ci\nadded 812 packages in 41s';
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
	const {title, repo, agent = 'claude', mode = 'ask', tags = [], ago, turns, branch, isArchived} = sample;
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
			...(tags.length > 0 && {tags: tags.map(name => ({name}))}),
			...(isArchived && {archivedAt: new Date(endedAt + minute).toISOString()}),
		},
		...(branch && {worktree: {path: cwd, repository: join(home, repo), branch: branch.name}}),
	});
	const ids = turns.flatMap((turn, index) =>
		storeTurn(storage, id, turn, endedAt - (turns.length - 1 - index) * 20 * minute),
	);
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
