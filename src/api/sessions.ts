import {z} from 'zod';
import {cwdLength} from '../domain/limits.ts';
import {
	permissionModes,
	type Session,
	type SessionDraft,
	type SessionPatch,
	type SessionSettingsPatch,
	sessionVariables,
} from '../domain/sessions/session.ts';
import type {CallOptions, Client} from './client.ts';
import {anyText, boundedText, nonEmptyText, oneOf, pathId, validate} from './request-schemas.ts';
import {
	id,
	lenientBoolean,
	lenientInstant,
	lenientList,
	lenientMap,
	lenientNumber,
	lenientObject,
	lenientPart,
	lenientText,
	readOne,
} from './response-schemas.ts';

const tokenUsage = lenientPart({
	inputTokens: lenientNumber,
	outputTokens: lenientNumber,
	cacheCreationTokens: lenientNumber,
	cacheReadTokens: lenientNumber,
	thinkingTokens: lenientNumber,
	models: lenientList(z.string()),
	costUsd: lenientNumber,
	serviceCredits: lenientNumber,
});

const session = lenientObject({
	sessionId: id,
	status: lenientText,
	messageCount: lenientNumber,
	createdAt: lenientInstant,
	updatedAt: lenientInstant,
	title: lenientText,
	completedAt: lenientInstant,
	computerId: lenientText,
	agent: lenientText,
	mode: lenientText,
	cwd: lenientText,
	conversation: lenientText,
	context: lenientPart({usedTokens: lenientNumber, windowTokens: lenientNumber}),
	limitedUntil: lenientInstant,
	subagents: lenientNumber,
	workFolder: lenientPart({
		folder: lenientText,
		repository: lenientText,
		paths: lenientList(z.string()),
		branch: lenientText,
		added: lenientNumber,
		removed: lenientNumber,
		hasMoreLines: lenientBoolean,
		isWorktree: lenientBoolean,
		cwd: lenientText,
		sourceFolder: lenientText,
	}),
	sessionSettings: lenientPart({
		model: lenientText,
		specModeModel: lenientText,
		providerLockTimestamp: lenientText,
		assistantActiveTimeMs: lenientNumber,
		childInclusiveTokenUsageBySessionId: lenientMap(z.unknown()),
		archivedAt: lenientText,
		tags: lenientList(lenientObject({name: z.string(), metadata: lenientMap(z.unknown())})),
		enabledToolIds: lenientList(z.string()),
		disabledToolIds: lenientList(z.string()),
		tokenUsage,
		inclusiveTokenUsage: tokenUsage,
	}),
});

const freeObject = z.record(z.string(), z.unknown(), 'must be an object');
const toolIds = z.array(anyText, 'must be a list').optional();

/** The settings a client may send. `tokenUsage` and `inclusiveTokenUsage` appear only in responses. */
const settings = z.strictObject(
	{
		model: anyText.optional(),
		specModeModel: anyText.optional(),
		providerLockTimestamp: anyText.optional(),
		assistantActiveTimeMs: z.number('must be a number').optional(),
		childInclusiveTokenUsageBySessionId: freeObject.optional(),
		archivedAt: anyText.optional(),
		tags: z
			.array(z.strictObject({name: anyText, metadata: freeObject.optional()}), 'must be a list')
			.optional(),
		enabledToolIds: toolIds,
		disabledToolIds: toolIds,
	},
	{error: issue => (issue.code === 'invalid_type' ? 'must be an object' : undefined)},
);

/** Validates session settings, which `name` calls in the error. Throws `ValidationError`. */
export function checkSettings(value: unknown, name: string): SessionSettingsPatch {
	return validate(settings, value, name) as SessionSettingsPatch;
}

const draft = z.strictObject({
	computerId: nonEmptyText,
	cwd: boundedText(cwdLength).optional(),
	sessionSettings: settings.optional(),
	agent: nonEmptyText.optional(),
	mode: oneOf(permissionModes).optional(),
	worktree: z.union([z.boolean(), z.literal('if-possible')]).optional(),
	resume: nonEmptyText.optional(),
	title: nonEmptyText.optional(),
	environment: z.partialRecord(z.enum(sessionVariables), anyText).optional(),
});

const patch = z.strictObject({
	sessionSettings: settings.optional(),
	mode: oneOf(permissionModes).optional(),
});

const root = '/api/v0/sessions';

/** The sessions. The API can't list or get them. */
export function createSessions(client: Client) {
	const decode = (response: unknown): Session => readOne(response, session, 'session');
	return {
		create: async (values: SessionDraft, options?: CallOptions) =>
			client.call({
				resource: 'sessions.create',
				method: 'POST',
				path: root,
				body: validate(draft, values, 'session'),
				decode,
				...options,
			}),
		/** An empty patch (`{}`) changes nothing and returns the whole session: the only way to read one. */
		update: async (sessionId: string, values: SessionPatch, options?: CallOptions) =>
			client.call({
				resource: 'sessions.update',
				method: 'PATCH',
				path: `${root}/${pathId(sessionId, 'sessionId')}`,
				body: validate(patch, values, 'session'),
				decode,
				...options,
			}),
	};
}
