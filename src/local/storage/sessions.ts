import type {DatabaseSync} from 'node:sqlite';
import type {SlashCommand} from '../../domain/sessions/agent-request.ts';
import type {
	ContextUse,
	SessionEnvironment,
	SessionSettingsPatch,
	SessionStatus,
} from '../../domain/sessions/session.ts';
import {rowAs, rowInserter, rowReader, rowUpdater} from './row.ts';

/**
 * A session as stored. `cwd` is absolute. `running`: its turn is running; `pending`: messages are
 * waiting and no turn is running.
 */
export type StoredSession = {
	readonly id: string;
	readonly computerId: string;
	readonly cwd: string;
	readonly title?: string;
	readonly settings: SessionSettingsPatch;
	readonly status: SessionStatus;
	readonly messageCount: number;
	readonly isInstall: boolean;
	readonly createdAt: number;
	readonly updatedAt: number;
	readonly completedAt?: number;
	readonly isRunning: boolean;
	/** The end of the service cut off its last turn, and the user hasn't said yet whether it goes on. */
	readonly isCutOff: boolean;
	readonly agent?: string;
	/** The mode in force: one of ours, or the client's own name of another. */
	readonly mode?: string;
	readonly agentSession?: string;
	readonly context?: ContextUse;
	/** When the usage limit ends that stopped its last turn, if its client said so. */
	readonly limitedUntil?: number;
	/** How many of its sub-agents are at work, while its turn is running. */
	readonly subagents: number;
	/** What its agent gets in place of the service's own variables. */
	readonly environment?: SessionEnvironment;
	/** Its own git work tree, in which `cwd` is. */
	readonly worktree?: StoredWorktree;
};

/** A git work tree at `path`, of the repository whose work tree at that time was `repository`. */
export type StoredWorktree = {
	readonly path: string;
	readonly repository: string;
	readonly branch: string;
	readonly isRemoved?: true;
	/** The command that makes it ready, until that starts. */
	readonly setup?: string;
};

const columns = `*, CASE WHEN is_running = 1 THEN 'running'
	WHEN EXISTS (SELECT 1 FROM messages m WHERE m.session_id = sessions.id AND m.is_waiting = 1) THEN 'pending'
	ELSE 'idle' END AS status`;

const isOpen = `coalesce(json_extract(settings, '$.archivedAt'), '') = ''`;

type NewSession = Pick<StoredSession, 'id' | 'computerId' | 'cwd' | 'title' | 'settings' | 'isInstall'> &
	Pick<StoredSession, 'agent' | 'mode' | 'worktree' | 'agentSession' | 'environment'>;

export function createSessionTable(database: DatabaseSync) {
	const insert = rowInserter<NewSession & Pick<StoredSession, 'createdAt' | 'updatedAt'>>(
		database,
		'sessions',
	);
	const select = database.prepare(`SELECT ${columns} FROM sessions WHERE id = ?`);
	const unsettled = database.prepare(
		`SELECT ${columns} FROM sessions WHERE is_running = 1
		OR id IN (SELECT session_id FROM messages WHERE is_waiting = 1)`,
	);
	const waitingOn = database.prepare(
		`SELECT id FROM sessions WHERE computer_id = ?
		AND id IN (SELECT session_id FROM messages WHERE is_waiting = 1)`,
	);
	const continuing = database.prepare(
		`SELECT id FROM sessions WHERE agent_session = ? AND agent = ? AND ${isOpen}`,
	);
	const folders = database.prepare(
		`SELECT cwd FROM sessions WHERE computer_id = ? AND worktree IS NULL
		GROUP BY cwd ORDER BY max(created_at) DESC LIMIT 20`,
	);
	const cutOff = database.prepare(
		`SELECT id FROM sessions WHERE is_cut_off = 1 AND is_running = 0 AND agent_session IS NOT NULL AND ${isOpen}
		ORDER BY updated_at`,
	);
	const setCommands = database.prepare('INSERT OR REPLACE INTO agent_commands VALUES (?, ?)');
	const commands = database.prepare('SELECT commands FROM agent_commands WHERE session_id = ?');
	const update = rowUpdater<StoredSession>(database, 'sessions');
	const toSession = rowReader<StoredSession>({
		settings: 'json',
		context: 'json',
		isInstall: 'boolean',
		isRunning: 'boolean',
		isCutOff: 'boolean',
		worktree: 'json',
		environment: 'json',
	});
	return {
		add(session: NewSession): void {
			const now = Date.now();
			insert({...session, createdAt: now, updatedAt: now});
		},
		get: (id: string) => rowAs(select.get(id), toSession),
		/** Sessions with a running turn or a waiting message. */
		unsettled: () => unsettled.all().map(toSession),
		/** Ids of a computer's sessions with waiting messages. */
		waitingOn: (computerId: string) => waitingOn.all(computerId).map(row => String(row.id)),
		/** Id of the session, not archived, that has an agent's conversation. */
		continuing: (agent: string, agentSession: string) =>
			rowAs(continuing.get(agentSession, agent), row => String(row.id)),
		/** The folders of a computer's sessions, newest first. */
		folders: (computerId: string) => folders.all(computerId).map(row => String(row.cwd)),
		/** Ids of sessions, not archived, that were cut off and whose agents can resume their conversation. */
		cutOff: () => cutOff.all().map(row => String(row.id)),
		update,
		setCommands: (id: string, all: readonly SlashCommand[]) => setCommands.run(id, JSON.stringify(all)),
		/** Empty if its agent has told none. */
		commands: (id: string) =>
			rowAs(commands.get(id), row => JSON.parse(String(row.commands)) as readonly SlashCommand[]) ?? [],
		release(id: string): void {
			const now = Date.now();
			update(id, {isRunning: false, subagents: 0, completedAt: now, updatedAt: now});
		},
	};
}
