import type {ExtraFields, OpenEnum} from './open-enum.ts';

export type SessionStatus = 'idle' | 'pending' | 'running';

export type TokenUsage = ExtraFields & {
	readonly inputTokens?: number;
	readonly outputTokens?: number;
	readonly cacheCreationTokens?: number;
	readonly cacheReadTokens?: number;
	readonly thinkingTokens?: number;
	readonly serviceCredits?: number;
};

export type SessionTag = {readonly name: string; readonly metadata?: Record<string, unknown>};

/** The part of the session settings that a client may send (contract 2.5). */
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

/** Session settings as read: the same, and two more objects that appear in responses only (contract 2.5). */
export type SessionSettings = ExtraFields &
	Readonly<SessionSettingsPatch> & {
		readonly tokenUsage?: TokenUsage;
		readonly inclusiveTokenUsage?: TokenUsage;
	};

/** A session (contract 2.5). Only `sessionId` is sure to be there; times are Unix ms. */
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
};

/** Body of create session (contract 4.6). */
export type SessionDraft = {computerId: string; cwd?: string; sessionSettings?: SessionSettingsPatch};
