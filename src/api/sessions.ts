import {z} from 'zod';
import {cwdLength} from '../domain/limits.ts';
import {agentOffer} from '../domain/sessions/agent-request.ts';
import {
	permissionModes,
	type Session,
	type SessionDraft,
	type SessionPatch,
	type SessionSettingsPatch,
	sessionEnvironment,
	sessionVariables,
} from '../domain/sessions/session.ts';
import {workFolderOffer} from '../domain/sessions/work-folder.ts';
import {type CallOptions, type Client, hasOffer} from './client.ts';
import {ValidationError} from './errors.ts';
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

/** What the embedded service is asked for with each new session that names nothing else. */
export type SessionDefaults = {readonly agent?: string; readonly worktree?: boolean};

/** The sessions. The API can't list or get them. */
export function createSessions(client: Client, defaults: SessionDefaults) {
	const decode = (response: unknown): Session => readOne(response, session, 'session');

	/** With what only the embedded service takes. */
	async function withDefaults(values: SessionDraft): Promise<SessionDraft> {
		const isEmbedded = await hasOffer(client, agentOffer);
		if (isEmbedded === undefined) return values;
		if (isEmbedded) {
			const {agent, worktree} = defaults;
			const usual = worktree && (await hasOffer(client, workFolderOffer)) ? 'if-possible' : undefined;
			return {
				...values,
				agent: values.agent ?? agent,
				worktree: values.worktree ?? usual,
				// Agents find what they would find here, whichever program started the service.
				environment: sessionEnvironment(process.env),
			};
		}
		const own = (['agent', 'mode', 'worktree'] as const).find(name => values[name] !== undefined);
		if (own === undefined) return values;
		throw new ValidationError(own, 'can be chosen only at the embedded service (--local)');
	}

	return {
		create: async (values: SessionDraft, options?: CallOptions) =>
			client.call({
				resource: 'sessions.create',
				method: 'POST',
				path: root,
				body: validate(draft, await withDefaults(values), 'session'),
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
				offer: values.mode === undefined ? undefined : agentOffer,
				...options,
			}),
	};
}
