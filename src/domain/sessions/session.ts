import type {ExtraFields, KnownStatus, OpenEnum} from '../known.ts';
import type {FolderSummary} from './work-folder.ts';

/** What an agent may do without asking: nothing, change files, or only plan. */
export const permissionModes = ['ask', 'accept-edits', 'plan'] as const;
export type PermissionMode = (typeof permissionModes)[number];

/** A mode in words, also of a client's own. Raw. */
export const modeTitle = (mode: string): string => mode.replaceAll('-', ' ');

export type SessionStatus = 'idle' | 'pending' | 'running';

export type TokenUsage = ExtraFields & {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheCreationTokens?: number;
	readonly cacheReadTokens?: number;
	readonly thinkingTokens?: number;
	/** Only of the embedded service: the models that the agent named, and the cost if its client says one, US dollars. */
	readonly models?: readonly string[];
	readonly costUsd?: number;
	readonly serviceCredits?: number;
};

/** How full the model's context window was after its last call, in tokens, as the agent's client reports it. */
export type ContextUse = {readonly usedTokens?: number; readonly windowTokens?: number};

/** What is left of the window, in percent; undefined if that isn't known. */
export function contextLeft({usedTokens, windowTokens}: ContextUse = {}): number | undefined {
	if (usedTokens === undefined || !windowTokens) return undefined;
	return Math.max(0, Math.round(100 * (1 - usedTokens / windowTokens)));
}

/** Whether the client may soon compact the conversation. */
export function isContextLow(left: number | undefined): boolean {
	return left !== undefined && left <= 20;
}

export type SessionTag = {readonly name: string; readonly metadata?: Record<string, unknown>};

/** The session settings that a client may send. */
export type SessionSettingsPatch = {
	model?: string;
	specModeModel?: string;
	providerLockTimestamp?: string;
	assistantActiveTimeMs?: number;
	childInclusiveTokenUsageBySessionId?: Record<string, unknown>;
	archivedAt?: string;
	tags?: readonly SessionTag[];
	enabledToolIds?: readonly string[];
	disabledToolIds?: readonly string[];
};

/** Session settings as read: those a client may send, and two objects that appear only in responses. */
export type SessionSettings = ExtraFields &
	Readonly<SessionSettingsPatch> & {
		readonly tokenUsage?: TokenUsage;
		readonly inclusiveTokenUsage?: TokenUsage;
	};

/** A session. Only `sessionId` is guaranteed; times are Unix ms. */
export type Session = ExtraFields & {
	readonly sessionId: string;
	readonly status?: OpenEnum<SessionStatus>;
	readonly messageCount?: number;
	readonly createdAt?: number;
	readonly updatedAt?: number;
	readonly title?: string;
	readonly completedAt?: number;
	readonly computerId?: string;
	readonly sessionSettings?: SessionSettings;
	/** Only the embedded service's sessions have an agent, a mode, a folder and the use of the context window. */
	readonly agent?: string;
	readonly mode?: OpenEnum<PermissionMode>;
	readonly cwd?: string;
	/** The client's own id of the conversation, once it is known. */
	readonly conversation?: string;
	readonly context?: ContextUse;
	/** When the usage limit ends that stopped its last turn, if its client tells. */
	readonly limitedUntil?: number;
	/** How many sub-agents are at work, if its client tells. */
	readonly subagents?: number;
	/** Only of the embedded service, and of a folder in a git repository. */
	readonly workFolder?: FolderSummary;
};

/** In the environment of an agent: the id of its session. */
export const agentVariable = 'QUARTERDECK_AGENT_SESSION';

/** Set by clients for the commands of their agents. */
export const clientVariables: readonly string[] = ['CLAUDECODE', 'GEMINI_CLI'];

/** What an agent's environment takes from the program that creates its session; none may hold a secret. */
export const sessionVariables = [
	'PATH',
	'LANG',
	'LC_ALL',
	'SSH_AUTH_SOCK',
	'VIRTUAL_ENV',
	'JAVA_HOME',
] as const;

export type SessionEnvironment = {readonly [Name in (typeof sessionVariables)[number]]?: string};

export function sessionEnvironment(env: Readonly<Record<string, string | undefined>>): SessionEnvironment {
	return Object.fromEntries(sessionVariables.flatMap(name => (env[name] ? [[name, env[name]]] : [])));
}

/** Request body for creating a session. Only the embedded service takes more than settings. */
export type SessionDraft = {
	computerId: string;
	cwd?: string;
	sessionSettings?: SessionSettingsPatch;
	agent?: string;
	mode?: PermissionMode;
	/** In a git work tree and branch of its own. */
	worktree?: boolean | 'if-possible';
	/** The client's own id of a conversation that it goes on with, and what to call it. */
	resume?: string;
	title?: string;
	environment?: SessionEnvironment;
};

/** Request body for updating a session. Only the embedded service takes a mode. */
export type SessionPatch = {sessionSettings?: SessionSettingsPatch; mode?: PermissionMode};

/** A message found this soon after the end of a turn was reported belongs to that turn, ms. */
export const afterStop = 10_000;

const ourWords: readonly string[] = ['idle', 'pending', 'running', 'unknown'];

/**
 * Whether a status says that the session is at work. An unknown word that the service returned when it accepted our
 * message applies to the turn which that message started.
 */
export function isBusy(status: KnownStatus | undefined): boolean {
	if (!status) return false;
	const {value, source} = status;
	return value === 'running' || value === 'pending' || (source === 'posted' && !ourWords.includes(value));
}
